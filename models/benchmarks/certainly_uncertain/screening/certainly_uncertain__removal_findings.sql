{%- set is_unbound -%}
    not array_contains(bounds.words, token)
{%- endset -%}
with
candidates as (select * from {{ ref('certainly_uncertain__removable_objects') }}),

mentions as (
    select * from {{ ref('certainly_uncertain__mentions') }}
    where not is_within_longer
),

captions as (
    select * from {{ ref('images__captions') }}
    where is_no_description is not true
),
categories as (select * from {{ ref('certainly_uncertain__picture_categories') }}),

bounds as (
    select {{ array_agg('word', order_by='word') }} as words
    from {{ vocabulary('certainly_uncertain', 'phrase_bounds', value='kind') }} as phrase_bounds
),

-- COCO's boat is a boat, a ship or a yacht in captions, and one concept of the lexicon
category_concepts as (
    select distinct instance_category as category, concept
    from {{ ref('certainly_uncertain__nouns') }}
    where instance_category is not null
),

named_objects as (
    select
        mentions.text_id, mentions.source_image_id, category_concepts.category,
        count(case when mentions.form = 'singular' then 1 end) as n_named,
        count(distinct case when mentions.form = 'singular' then mentions.term end) as n_kinds,
        bool_or(mentions.form = 'plural') as names_several
    from mentions
    inner join category_concepts using (concept)
    group by mentions.text_id, mentions.source_image_id, category_concepts.category
),

counted_objects as (
    select facts.text_id, category_concepts.category, max(cast(facts.answer as bigint)) as number
    from {{ ref('certainly_uncertain__facts') }} as facts
    inner join category_concepts using (concept)
    where facts.rule = 'count'
    group by facts.text_id, category_concepts.category
),

-- where a text has as many words for things as there are several outlines, "a boat next to a tall
-- ship", the words may name things without an outline; people are called by many words
texts_with_more as (
    select candidates.pair_id, min(texts.text) as text
    from candidates
    inner join named_objects
        on
            candidates.source_image_id = named_objects.source_image_id
            and candidates.object_name = named_objects.category
    inner join {{ ref('certainly_uncertain__texts') }} as texts using (text_id)
    left join counted_objects using (text_id, category)
    where
        named_objects.n_named > candidates.n_objects
        or counted_objects.number > candidates.n_objects
        or (named_objects.names_several and candidates.n_objects = 1)
        or (
            named_objects.n_kinds > 1
            and named_objects.n_kinds >= candidates.n_objects
            and candidates.object_name <> 'person'
        )
    group by candidates.pair_id
),

-- the words that carry an answer: "on the left" is left
answers as (
    select
        candidates.pair_id, candidates.source_image_id, candidates.object_name,
        candidates.plain_answer, candidates.empty_answer_kind,
        ' ' || {{ array_join(tokens('candidates.plain_answer'), "' '") }} || ' ' as answer_text,
        {{ list_filter(tokens('candidates.plain_answer'), 'token', is_unbound) }} as answer_words
    from candidates
    cross join bounds
),

phrases as (
    select category, ' ' || phrase || ' ' as phrase from {{ ref('object_words') }}
),

-- a caption that names the object may have its answer from the object
captions_of_object as (
    select distinct answers.pair_id, captions.caption_id
    from answers
    inner join captions using (source_image_id)
    inner join phrases on answers.object_name = phrases.category
    where
        contains(' ' || {{ array_join('captions.tokens', "' '") }} || ' ', phrases.phrase)
),

answering_captions as (
    select answers.pair_id, min(captions.caption) as caption
    from answers
    inner join captions using (source_image_id)
    left join captions_of_object
        on
            answers.pair_id = captions_of_object.pair_id
            and captions.caption_id = captions_of_object.caption_id
    where
        captions_of_object.caption_id is null
        and {{ has_all_words('captions.tokens', 'answers.answer_words') }}
    group by answers.pair_id
),

answer_objects as (
    select
        answers.pair_id, answers.source_image_id, answers.object_name,
        phrases.category as named_object
    from answers
    inner join phrases on contains(answers.answer_text, phrases.phrase)
    union
    -- a scene graph names its objects by their own words
    select
        answers.pair_id, answers.source_image_id, answers.object_name,
        categories.object_name as named_object
    from answers
    inner join categories
        on
            answers.source_image_id = categories.source_image_id
            and answers.plain_answer = categories.object_name
),

objects_still_there as (
    select
        answer_objects.pair_id,
        min(
            case
                when answer_objects.named_object <> answer_objects.object_name
                    then categories.object_name
            end
        ) as named_object,
        bool_or(answer_objects.named_object = answer_objects.object_name) as is_answer_object
    from answer_objects
    inner join categories
        on
            answer_objects.source_image_id = categories.source_image_id
            and answer_objects.named_object = categories.object_name
    group by answer_objects.pair_id
)

select
    candidates.pair_id as candidate_id,
    -- the answer names the object itself, which is kept and flagged
    coalesce(objects_still_there.is_answer_object, false) as is_answer_object,
    -- the objects have a mask that fits their picture
    case when removals.pair_id is not null then removals.mask_error is null end
        as passes_mask_unusable,
    removals.mask_error as mask_unusable_detail,
    -- the object takes enough of the picture that its absence is seen,
    removals.area_share >= {{ threshold('certainly_uncertain', 'least_removed_area') }}
        as passes_object_too_small,
    -- and leaves enough of it to paint from
    removals.area_share <= {{ threshold('certainly_uncertain', 'most_removed_area') }}
        as passes_object_too_large,
    -- the captions name no more of the object than there are outlines to take out: what COCO's
    -- annotators left without an outline stays in the picture and answers the question
    texts_with_more.pair_id is null as passes_object_not_outlined,
    texts_with_more.text as object_not_outlined_detail,
    -- the answer goes with the object: a caption that does not name the object would describe
    -- the picture without it and must not hold the answer's words, and the answer must not
    -- name anything that is still there
    coalesce(candidates.empty_answer_kind <> 'stays_right', true)
    and objects_still_there.named_object is null
    and answering_captions.pair_id is null as passes_still_answerable,
    case
        when candidates.empty_answer_kind = 'stays_right' then candidates.plain_answer
        when objects_still_there.named_object is not null
            then 'still there: ' || objects_still_there.named_object
        else answering_captions.caption
    end as still_answerable_detail
from candidates
left join {{ ref('certainly_uncertain__removals') }} as removals using (pair_id)
left join texts_with_more using (pair_id)
left join objects_still_there using (pair_id)
left join answering_captions using (pair_id)
