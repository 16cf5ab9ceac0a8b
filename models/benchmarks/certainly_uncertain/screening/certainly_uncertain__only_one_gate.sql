with

pairs as (

    select * from {{ ref('certainly_uncertain__rule_pairs') }}

),

facts as (

    select * from {{ ref('certainly_uncertain__image_facts') }}

),

mentions as (

    select * from {{ ref('certainly_uncertain__mentions') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

text_counts as (

    select
        source_image_id,
        text_id,
        concept,
        count(*) as n_mentions
    from mentions
    where form = 'singular' and not is_within_longer
    group by source_image_id, text_id, concept

),

repeated_concepts as (

    select distinct
        source_image_id,
        concept
    from text_counts
    where n_mentions > 1

),

-- "a burger with another next to it"
texts_with_another as (

    select text_id
    from texts
    where {{ list_contains('words', "'another'") }}

),

accompanied_classes as (

    select distinct
        mentions.source_image_id,
        mentions.class
    from mentions
    inner join texts_with_another
        on mentions.text_id = texts_with_another.text_id

),

-- "bears" may be the black bear and others
plural_heads as (

    select distinct
        source_image_id,
        {{ regexp_extract('concept', '[a-z]+$') }} as head_word
    from mentions
    where form = 'plural'

),

-- "people" may be the man's company, and "animals" the dog's
plural_classes as (

    select distinct
        source_image_id,
        class
    from mentions
    where form = 'plural' and (is_generic or class = 'person')

),

-- "the person" is anybody where a text names a man, too
class_counts as (

    select
        source_image_id,
        text_id,
        class
    from mentions
    where form = 'singular' and not is_within_longer
    group by source_image_id, text_id, class
    having count(*) > 1

),

crowded_classes as (

    select distinct
        source_image_id,
        class
    from class_counts

),

generic_concepts as (

    select distinct concept
    from mentions
    where is_generic

),

food_counts as (

    select
        source_image_id,
        count(distinct concept) as n_foods
    from mentions
    where class = 'food' and not is_within_longer
    group by source_image_id

),

final as (

    select
        pairs.pair_id as candidate_id,
        case
            -- "two people", and "another man" in another text
            when facts.form = 'plural'
                then facts.class <> 'person' or accompanied_classes.class is null
            when plural_heads.head_word is not null then false
            when facts.rule = 'two_colors' then true
            when accompanied_classes.class is not null then false
            when repeated_concepts.concept is not null then false
            when plural_classes.class is not null then false
            when generic_concepts.concept is not null and crowded_classes.class is not null
                then false
            when facts.rule = 'contents' and food_counts.n_foods > 1 then false
            else true
        end as is_passed
    from pairs
    inner join facts
        on pairs.fact_id = facts.fact_id
    left join repeated_concepts
        on
            facts.source_image_id = repeated_concepts.source_image_id
            and facts.concept = repeated_concepts.concept
    left join accompanied_classes
        on
            facts.source_image_id = accompanied_classes.source_image_id
            and facts.class = accompanied_classes.class
    left join plural_heads
        on
            facts.source_image_id = plural_heads.source_image_id
            and {{ regexp_extract('facts.concept', '[a-z]+$') }} = plural_heads.head_word
    left join plural_classes
        on
            facts.source_image_id = plural_classes.source_image_id
            and facts.class = plural_classes.class
    left join crowded_classes
        on
            facts.source_image_id = crowded_classes.source_image_id
            and facts.class = crowded_classes.class
    left join generic_concepts
        on facts.concept = generic_concepts.concept
    left join food_counts
        on facts.source_image_id = food_counts.source_image_id

)

select * from final
