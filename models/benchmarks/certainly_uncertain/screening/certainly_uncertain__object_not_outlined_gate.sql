with

candidates as (

    select * from {{ ref('certainly_uncertain__removable_objects') }}

),

nouns as (

    select * from {{ ref('certainly_uncertain__nouns') }}

),

mentions as (

    select * from {{ ref('certainly_uncertain__mentions') }}
    where not is_within_longer

),

facts as (

    select * from {{ ref('certainly_uncertain__facts') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

-- what COCO calls a boat is a boat, a ship or a yacht in captions, and one concept of the lexicon
category_concepts as (

    select distinct
        instance_category as category,
        concept
    from nouns
    where instance_category is not null

),

named_objects as (

    select
        mentions.text_id,
        mentions.source_image_id,
        category_concepts.category,
        count(case when mentions.form = 'singular' then 1 end) as n_named,
        count(distinct case when mentions.form = 'singular' then mentions.term end) as n_kinds,
        bool_or(mentions.form = 'plural') as names_several
    from mentions
    inner join category_concepts
        on mentions.concept = category_concepts.concept
    group by mentions.text_id, mentions.source_image_id, category_concepts.category

),

counted_objects as (

    select
        facts.text_id,
        category_concepts.category,
        max(cast(facts.answer as bigint)) as number
    from facts
    inner join category_concepts
        on facts.concept = category_concepts.concept
    where facts.rule = 'count'
    group by facts.text_id, category_concepts.category

),

-- of several outlines and as many words of a text for them, "a boat next to a tall ship", it is not
-- clear that they are the same things; people are called by many words
texts_with_more as (

    select
        candidates.pair_id,
        min(texts.text) as text
    from candidates
    inner join named_objects
        on
            candidates.source_image_id = named_objects.source_image_id
            and candidates.object_name = named_objects.category
    inner join texts
        on named_objects.text_id = texts.text_id
    left join counted_objects
        on
            named_objects.text_id = counted_objects.text_id
            and named_objects.category = counted_objects.category
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

final as (

    select
        candidates.pair_id as candidate_id,
        texts_with_more.text as drop_detail,
        texts_with_more.pair_id is null as is_passed
    from candidates
    left join texts_with_more
        on candidates.pair_id = texts_with_more.pair_id

)

select * from final
