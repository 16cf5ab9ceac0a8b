-- Derives anew, from annotations, instances and the captions' plain words, what an extraneous pair
-- by rule rests on: its answer is the annotated one, its picture has outlines of the object, which
-- its recipe takes out, its question asks neither whether nor how many, and no caption that leaves
-- the object out gives the answer.
with
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained and generator = 'rules' and category = 'extraneous'
),

annotations as (
    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1
),

captions as (select * from {{ ref('images__captions') }}),
object_words as (select * from {{ ref('object_words') }}),

-- what is shown of the object, by the words that the question has for it
outlined_objects as (
    select distinct
        pairs.pair_id,
        pairs.source_image_id,
        instances.category
    from pairs
    inner join object_words
        on {{ normalized_text('pairs.object_words') }} = object_words.phrase
    inner join {{ ref('images__instances') }} as instances
        on
            pairs.source_image_id = instances.source_image_id
            and object_words.category = instances.category
),

captions_of_objects as (
    select distinct
        outlined_objects.pair_id,
        captions.caption_id
    from outlined_objects
    inner join object_words
        on outlined_objects.category = object_words.category
    inner join captions
        on
            outlined_objects.source_image_id = captions.source_image_id
            and contains(
                ' ' || {{ array_join('captions.tokens', "' '") }} || ' ',
                ' ' || object_words.phrase || ' '
            )
),

answering_captions as (
    select
        pairs.pair_id,
        min(captions.caption) as caption
    from pairs
    inner join captions
        on
            pairs.source_image_id = captions.source_image_id
            and contains(
                ' ' || {{ array_join('captions.tokens', "' '") }} || ' ',
                ' ' || {{ array_join(tokens('pairs.answerable_answer'), "' '") }} || ' '
            )
    left join captions_of_objects
        on
            pairs.pair_id = captions_of_objects.pair_id
            and captions.caption_id = captions_of_objects.caption_id
    where captions_of_objects.caption_id is null
    group by pairs.pair_id
)

-- objects of scene graphs have no outlines, and their questions no annotation of VQA
select
    pairs.pair_id,
    pairs.unanswerable_question,
    pairs.answerable_answer,
    annotations.multiple_choice_answer,
    answering_captions.caption
from pairs
inner join annotations
    on pairs.question_id = annotations.question_id
left join outlined_objects
    on pairs.pair_id = outlined_objects.pair_id
left join answering_captions
    on pairs.pair_id = answering_captions.pair_id
where
    {{ normalized_text('pairs.answerable_answer') }}
    <> {{ normalized_text('annotations.multiple_choice_answer') }}
    or pairs.answerable_question <> pairs.unanswerable_question
    or pairs.rle is null
    or outlined_objects.pair_id is null
    or answering_captions.pair_id is not null
    or {{ regexp_matches(
        'lower(pairs.unanswerable_question)', '^(how many|is|are|was|were|do|does|did|can) '
    ) }}
