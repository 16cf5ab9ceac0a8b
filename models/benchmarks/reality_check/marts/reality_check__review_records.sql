{%- set direction %}case when languages.is_right_to_left then 'rtl' else 'ltr' end{% endset -%}
with
-- the English question is what a translation is compared with, and no translation itself
sampled_questions as (
    select * from {{ ref('reality_check__translation_sample') }}
    where language <> 'en'
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
    -- the labels are columns of a sheet; the text that is judged comes last
    {{ shown_texts(
        shown_text("'Language'", 'languages.name'),
        shown_text("'What is asked about'", "replace(sampled_questions.bias_type, '_', ' ')"),
        shown_text("'English question'", 'sampled_questions.en_question'),
        shown_text(
            "'Translated question'", 'sampled_questions.translated_question',
            language='language', direction=direction
        )
    ) }} as texts,
    '[]' as choices
from sampled_questions
inner join {{ ref('reality_check__challenges') }} as challenges using (challenge_id)
inner join {{ ref('reality_check_languages') }} as languages using (language)
union all
-- what passes every stage but those of readers, also what they rejected before
select
    readings.queue, readings.record_id, readings.record_md5,
    pairs.image_a_id as image_id,
    cast(null as string) as split,
    cast(row_number() over (
        partition by readings.queue
        order by
            case when readings.is_awaited then 0 else 1 end,
            {{ seeded_order('rc_reading', 'readings.record_id', seed_var='reality_check_seed') }}
    ) as bigint) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    readings.picture_roles, readings.picture_ids, readings.texts, readings.choices
from {{ ref('reality_check__readings') }} as readings
inner join {{ ref('reality_check__checked_pairs') }} as pairs using (pair_id)
where pairs.passes_target or not pairs.passes_readers
