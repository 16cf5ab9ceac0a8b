with
-- the English question is what a translation is compared with, and no translation itself
sampled_questions as (
    select * from {{ ref('reality_check__translation_sample') }}
    where language <> 'en'
),

languages as (select * from {{ ref('reality_check_languages') }}),

-- the labels are columns of a sheet; the text that is judged comes last
shown_texts as (
    select
        sampled_questions.challenge_id,
        sampled_questions.language,
        1 as place,
        'Language' as label,
        languages.name as shown_text,
        'en' as text_language
    from sampled_questions
    inner join languages using (language)
    union all
    select
        challenge_id,
        language,
        2 as place,
        'What is asked about' as label,
        replace(bias_type, '_', ' ') as shown_text,
        'en' as text_language
    from sampled_questions
    union all
    select
        challenge_id,
        language,
        3 as place,
        'English question' as label,
        en_question as shown_text,
        'en' as text_language
    from sampled_questions
    union all
    select
        challenge_id,
        language,
        4 as place,
        'Translated question' as label,
        translated_question as shown_text,
        language as text_language
    from sampled_questions
),

directed_texts as (
    select
        shown_texts.*,
        case when languages.is_right_to_left then 'rtl' else 'ltr' end as direction
    from shown_texts
    inner join languages
        on shown_texts.text_language = languages.language
),

text_objects as (
    select
        challenge_id,
        language,
        place,
        {{ json_object(
            label='label',
            text='shown_text',
            marks=empty_list('bigint'),
            language='text_language',
            direction='direction'
        ) }} as text_object
    from directed_texts
),

listed_texts as (
    select
        challenge_id,
        language,
        {{ array_agg('text_object', order_by='place') }} as texts
    from text_objects
    group by challenge_id, language
)

-- one language after the other: few people read all of them
select
    'reality_check_language' as queue,
    sampled_questions.record_id,
    sampled_questions.record_md5,
    challenges.image_a_id as image_id,
    challenges.split,
    cast(row_number() over (
        order by
            languages.position,
            sampled_questions.rank_in_language,
            sampled_questions.challenge_id
    ) as bigint) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ empty_list('string') }} as picture_roles,
    {{ empty_list('string') }} as picture_ids,
    {{ json_list('listed_texts.texts') }} as texts,
    '[]' as choices
from sampled_questions
inner join {{ ref('reality_check__challenges') }} as challenges using (challenge_id)
inner join languages using (language)
inner join listed_texts using (challenge_id, language)
