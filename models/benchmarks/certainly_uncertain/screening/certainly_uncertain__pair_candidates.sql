-- a view, because it repeats its two parts
{{ config(materialized='view') }}
with
candidates as (select * from {{ ref('certainly_uncertain__image_candidates') }}),

idk_answers as (
    select
        answer, number,
        row_number() over (order by answer) - 1 as answer_number,
        count(*) over () as n_answers
    from
        {{ vocabulary('certainly_uncertain', 'image_idk_answers', word='answer', value='number') }}
            as listed_answers
),

-- the answers have equal shares
drawn_answers as (
    select
        candidates.pair_id,
        replace(
            idk_answers.answer,
            '{object}',
            coalesce(
                case idk_answers.number
                    when 'plural' then object_forms.plural
                    when 'singular' then object_forms.singular
                end,
                candidates.object_words,
                'such thing'
            )
        ) as answer
    from candidates
    inner join idk_answers
        on
            {{ seeded_int('uncertainty_idk', 'candidates.pair_id', 'idk_answers.n_answers') }}
            = idk_answers.answer_number
    left join {{ ref('uncertainty_object_forms') }} as object_forms
        on candidates.object_words = object_forms.phrase
),

-- one question and two pictures: as it is, and with the question's object taken out
image_pairs as (
    select
        candidates.pair_id, 'extraneous' as category, candidates.source_image_id,
        candidates.source_image_id as open_image_id,
        candidates.image_id, candidates.question_id, candidates.generator, candidates.prompt_sha256,
        case when not coalesce(candidates.is_written_by_model, false) then 'annotated_answer' end
            as answerable_rule,
        'removed_object' as unanswerable_rule, candidates.object_words,
        candidates.question as answerable_question,
        candidates.gold_answer as answerable_answer,
        candidates.question as unanswerable_question,
        -- a model that writes the question also words the answer that it does not know
        coalesce(candidates.second_answer, drawn_answers.answer) as unanswerable_answer,
        {{ list_value('candidates.object_words', 'candidates.plain_answer') }} as evidence_words,
        cast(null as {{ engine_type('varchar[]') }}) as texts_seen,
        candidates.response_reason,
        case when removals.rle is not null then 'inpaint_remove' end as recipe_family,
        removals.rle,
        candidates.is_picture_known as is_instance_checked
    from candidates
    left join {{ ref('certainly_uncertain__removals') }} as removals using (pair_id)
    left join drawn_answers using (pair_id)
),

caption_answers as (
    select answer, row_number() over (order by answer) - 1 as place, count(*) over () as n_answers
    from
        {{ vocabulary('certainly_uncertain', 'caption_idk_answers', word='answer') }}
            as listed_answers
),

-- one question and two pictures: people agree on the one, and leave the other open
people_pairs as (
    select
        pairs.pair_id, pairs.category, pairs.source_image_id, pairs.open_image_id, pairs.image_id,
        pairs.question_id, 'rules' as generator, cast(null as string) as prompt_sha256,
        pairs.origin as answerable_rule,
        'people_doubt' as unanswerable_rule, cast(null as string) as object_words,
        case when pairs.answered_key is not null then pairs.question end as answerable_question,
        pairs.answer as answerable_answer,
        pairs.question as unanswerable_question,
        caption_answers.answer as unanswerable_answer,
        {{ list_value('pairs.answer') }} as evidence_words,
        {{ list_value('pairs.answers', 'pairs.open_answers') }} as texts_seen,
        cast(null as string) as response_reason, cast(null as string) as recipe_family,
        cast(null as string) as rle, false as is_instance_checked
    from {{ ref('certainly_uncertain__people_pairs') }} as pairs
    inner join caption_answers
        on
            caption_answers.place
            = {{ seeded_int('uncertainty_idk', 'pairs.pair_id', 'caption_answers.n_answers') }}
),

pairs as (
    select 'pairs_from_captions' as screening, 'caption' as source, *
    from {{ ref('certainly_uncertain__caption_pairs') }}
    union all
    select 'pairs_from_images' as screening, 'image' as source, * from image_pairs
    union all
    select 'pairs_from_people' as screening, 'people' as source, * from people_pairs
)

select
    pairs.pair_id, pairs.category, pairs.screening, categories.kind, pairs.source,
    pairs.source_image_id, pairs.open_image_id, pairs.image_id, pairs.question_id, pairs.generator,
    pairs.prompt_sha256, pairs.answerable_rule, pairs.unanswerable_rule, pairs.object_words,
    pairs.answerable_question, pairs.answerable_answer, pairs.unanswerable_question,
    pairs.unanswerable_answer, pairs.evidence_words, pairs.texts_seen, pairs.response_reason,
    pairs.recipe_family, pairs.rle, pairs.is_instance_checked,
    -- a stem that both sides have stands on each as often. Of a language model's questions the
    -- first two words are the stem
    case
        when pairs.answerable_question = pairs.unanswerable_question then false
        when pairs.generator = 'rules' then true
        else
            {{ regexp_extract('lower(pairs.answerable_question)', '^[a-z]+ [a-z]+') }}
            <> {{ regexp_extract('lower(pairs.unanswerable_question)', '^[a-z]+ [a-z]+') }}
    end as stem_is_one_sided
from pairs
left join {{ ref('uncertainty_categories') }} as categories
    on
        pairs.category = categories.category
        and (pairs.source = categories.source or pairs.source = 'people')
