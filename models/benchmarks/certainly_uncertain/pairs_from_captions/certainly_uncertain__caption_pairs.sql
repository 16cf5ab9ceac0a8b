with
annotated_images as (
    select distinct source_image_id from {{ ref('images__instances') }}
),

idk_answers as (
    select answer, row_number() over (order by answer) - 1 as place, count(*) over () as n_answers
    from
        {{ vocabulary('certainly_uncertain', 'caption_idk_answers', word='answer') }}
            as listed_answers
),

pairs as (
    select
        rule_pairs.pair_id, rule_pairs.category, rule_pairs.source_image_id,
        rule_pairs.source_image_id as open_image_id,
        'rules' as generator, cast(null as string) as prompt_sha256, rule_pairs.answerable_rule,
        rule_pairs.unanswerable_rule, rule_pairs.object_words, rule_pairs.answerable_question,
        rule_pairs.answerable_answer, rule_pairs.unanswerable_question,
        {{ regexp_extract_all('facts.source_answer', '[a-z0-9]+') }} as evidence_words,
        facts.texts_seen, cast(null as string) as response_reason,
        annotated_images.source_image_id is not null
        and facts.instance_category is not null as is_instance_checked
    from {{ ref('certainly_uncertain__rule_pairs') }} as rule_pairs
    inner join {{ ref('certainly_uncertain__image_facts') }} as facts using (fact_id)
    left join annotated_images on rule_pairs.source_image_id = annotated_images.source_image_id
    union all
    select
        pair_id, category, source_image_id,
        source_image_id as open_image_id,
        generator, prompt_sha256, cast(null as string) as answerable_rule,
        cast(null as string) as unanswerable_rule, object_words, answerable_question,
        answerable_answer, unanswerable_question, evidence_words, texts_seen, response_reason,
        false as is_instance_checked
    from {{ ref('certainly_uncertain__llm_pairs') }}
    union all
    select
        pair_id, category, source_image_id, open_image_id, 'rules' as generator,
        cast(null as string) as prompt_sha256,
        stem as answerable_rule,
        stem as unanswerable_rule,
        object_words, answerable_question, answerable_answer, unanswerable_question,
        coalesce(
            {{ tokens('answerable_answer') }}, {{ empty_list('string') }}
        ) as evidence_words,
        texts_seen, cast(null as string) as response_reason, false as is_instance_checked
    from {{ ref('certainly_uncertain__stem_pairs') }}
)

select
    pairs.pair_id, pairs.category, pairs.source_image_id, pairs.open_image_id, images.image_id,
    cast(null as bigint) as question_id, pairs.generator, pairs.prompt_sha256,
    pairs.answerable_rule, pairs.unanswerable_rule, pairs.object_words, pairs.answerable_question,
    pairs.answerable_answer, pairs.unanswerable_question,
    case when pairs.unanswerable_question is not null then idk_answers.answer end
        as unanswerable_answer,
    pairs.evidence_words, pairs.texts_seen, pairs.response_reason,
    cast(null as string) as recipe_family, cast(null as string) as rle, pairs.is_instance_checked
from pairs
inner join idk_answers
    on
        idk_answers.place
        = {{ seeded_int('uncertainty_idk', 'pairs.pair_id', 'idk_answers.n_answers') }}
left join {{ ref('images__source_images') }} as images using (source_image_id)
