with

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

templates as (

    select * from {{ ref('reality_check__templates') }}

),

languages as (

    select * from {{ ref('reality_check_languages') }}

),

slot_texts as (

    select * from {{ ref('reality_check__slot_texts') }}

),

option_texts as (

    select * from {{ ref('reality_check__option_texts') }}

),

answer_words as (

    select * from {{ ref('reality_check_answer_words') }}

),

terms as (

    select * from {{ ref('reality_check_terms') }}
    where
        term_kind = 'label'
        and '{{ var("reality_check_slot_terms") }}' = 'localized'

),

-- a text is filled once for all challenges that ask it with the same names
asked_texts as (

    select distinct
        template_id,
        slots
    from challenges

),

filled_texts as (

    select
        asked_texts.template_id,
        coalesce(asked_texts.slots, '') as slots,
        templates.language,
        templates.translator,
        gs_tidy_translation({{ filled_slots('templates.text', {
            'object_category': 'slot_texts.object_category',
            'count_a': 'slot_texts.count_a',
            'count_b': 'slot_texts.count_b',
            'supercategory': 'slot_texts.supercategory',
        }) }}, templates.language) as question,
        coalesce(slot_texts.n_english_slots, 0) as n_english_slots
    from asked_texts
    inner join templates
        on asked_texts.template_id = templates.template_id
    left join slot_texts
        on
            asked_texts.slots = slot_texts.slots
            and templates.language = slot_texts.language

),

option_lists as (

    select
        slots,
        options,
        language,
        cast(to_json({{ array_agg(
            struct_pack(letter='letter', key='option_key', text='text'), order_by='letter'
        ) }}) as {{ dbt.type_string() }}) as options_text
    from option_texts
    group by slots, options, language

),

final as (

    select
        challenges.challenge_id,
        filled_texts.language,
        challenges.bias_type,
        challenges.question_role,
        challenges.template_id,
        filled_texts.translator,
        filled_texts.question,
        option_lists.options_text as options,
        challenges.answer_format,
        case challenges.answer_format
            when 'yes_no' then answer_words.word
            when 'label' then coalesce(terms.text, challenges.correct_answer)
            else challenges.correct_answer
        end as answer,
        coalesce(
            right_options.text, answer_words.word, terms.text, challenges.correct_answer
        ) as answer_text,
        filled_texts.n_english_slots,
        languages.is_right_to_left
    from challenges
    inner join filled_texts
        on
            challenges.template_id = filled_texts.template_id
            and coalesce(challenges.slots, '') = filled_texts.slots
    inner join languages
        on filled_texts.language = languages.language
    left join option_lists
        on
            challenges.options = option_lists.options
            and coalesce(challenges.slots, '') = option_lists.slots
            and filled_texts.language = option_lists.language
    left join option_texts as right_options
        on
            challenges.options = right_options.options
            and coalesce(challenges.slots, '') = right_options.slots
            and filled_texts.language = right_options.language
            and challenges.correct_answer = right_options.letter
    left join answer_words
        on
            challenges.answer_format = 'yes_no'
            and filled_texts.language = answer_words.language
            and challenges.correct_answer = answer_words.answer
    left join terms
        on
            challenges.answer_format = 'label'
            and filled_texts.language = terms.language
            and challenges.correct_answer = terms.english

)

select * from final
