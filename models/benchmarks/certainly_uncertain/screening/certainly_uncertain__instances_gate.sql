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

instances as (

    select
        source_image_id,
        category,
        count(*) as n_instances,
        bool_or(is_crowd) as has_crowd
    from {{ ref('images__instances') }}
    group by source_image_id, category

),

annotated_images as (

    select distinct source_image_id
    from instances

),

-- a man and a woman are two people, and two instances of one category
named_people as (

    select
        source_image_id,
        count(distinct concept) as n_people
    from mentions
    where class = 'person' and form = 'singular'
    group by source_image_id

),

-- a picture that annotators looked at, and a thing of one of the categories that they know
checked_pairs as (

    select
        pairs.pair_id,
        facts.form,
        facts.class,
        coalesce(instances.n_instances, 0) as n_instances,
        coalesce(instances.has_crowd, false) as has_crowd,
        case
            when facts.form = 'plural' then cast(facts.source_answer as bigint)
            when facts.class = 'person' then coalesce(named_people.n_people, 1)
            else 1
        end as n_expected
    from pairs
    inner join facts
        on pairs.fact_id = facts.fact_id
    inner join annotated_images
        on facts.source_image_id = annotated_images.source_image_id
    left join instances
        on
            facts.source_image_id = instances.source_image_id
            and facts.instance_category = instances.category
    left join named_people
        on facts.source_image_id = named_people.source_image_id
    where facts.instance_category is not null

),

final as (

    select
        pair_id as candidate_id,
        'COCO has ' || cast(n_instances as {{ dbt.type_string() }}) || ' of them, '
        || cast(n_expected as {{ dbt.type_string() }}) || ' expected' as drop_detail,
        not has_crowd
        and case
            when form = 'singular' and class = 'person' then n_instances between 1 and n_expected
            else n_instances = n_expected
        end as is_passed
    from checked_pairs

)

select * from final
