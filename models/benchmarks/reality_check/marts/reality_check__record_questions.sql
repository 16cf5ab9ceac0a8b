with
asked_records as (select * from {{ ref('reality_check__asked_records') }}),
option_texts as (select * from {{ ref('reality_check__option_texts') }}),

terms as (
    select * from {{ ref('reality_check_terms') }}
    where term_kind = 'label' and '{{ var("reality_check_slot_terms") }}' = 'localized'
),

-- a text is filled once for all records that ask it with the same names
asked_texts as (
    select distinct template_id, slots from asked_records
),

filled_texts as (
    select
        asked_texts.template_id,
        coalesce(asked_texts.slots, '') as slots,
        templates.language, templates.translator,
        gs_tidy_translation({{ filled_slots('templates.text', {
            'object_category': 'slot_texts.object_category',
            'count_a': 'slot_texts.count_a',
            'count_b': 'slot_texts.count_b',
            'supercategory': 'slot_texts.supercategory',
        }) }}, templates.language) as question,
        coalesce(slot_texts.n_english_slots, 0) as n_english_slots
    from asked_texts
    inner join {{ ref('reality_check__templates') }} as templates using (template_id)
    left join {{ ref('reality_check__slot_texts') }} as slot_texts
        on
            asked_texts.slots = slot_texts.slots
            and templates.language = slot_texts.language
),

option_lists as (
    select
        slots, options, language,
        cast(to_json({{ array_agg(
            struct_pack(letter='letter', key='option_key', text='text'), order_by='letter'
        ) }}) as string) as options_text
    from option_texts
    group by slots, options, language
)

select
    asked_records.challenge_id,
    filled_texts.language,
    asked_records.bias_type,
    asked_records.question_role,
    asked_records.template_id,
    filled_texts.translator,
    filled_texts.question,
    option_lists.options_text as options,
    asked_records.answer_format,
    case asked_records.answer_format
        when 'yes_no' then answer_words.word
        when 'label' then coalesce(terms.text, asked_records.correct_answer)
        else asked_records.correct_answer
    end as answer,
    coalesce(
        right_options.text, answer_words.word, terms.text, asked_records.correct_answer
    ) as answer_text,
    filled_texts.n_english_slots,
    languages.is_right_to_left,
    asked_records.is_control
from asked_records
inner join filled_texts
    on
        asked_records.template_id = filled_texts.template_id
        and coalesce(asked_records.slots, '') = filled_texts.slots
inner join {{ ref('reality_check_languages') }} as languages using (language)
left join option_lists
    on
        asked_records.options = option_lists.options
        and coalesce(asked_records.slots, '') = option_lists.slots
        and filled_texts.language = option_lists.language
left join option_texts as right_options
    on
        asked_records.options = right_options.options
        and coalesce(asked_records.slots, '') = right_options.slots
        and filled_texts.language = right_options.language
        and asked_records.correct_answer = right_options.letter
left join {{ ref('reality_check_answer_words') }} as answer_words
    on
        asked_records.answer_format = 'yes_no'
        and filled_texts.language = answer_words.language
        and asked_records.correct_answer = answer_words.answer
left join terms
    on
        asked_records.answer_format = 'label'
        and filled_texts.language = terms.language
        and asked_records.correct_answer = terms.english
