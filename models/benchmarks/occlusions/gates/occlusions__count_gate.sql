with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

evidence as (

    select * from {{ ref('conflict_suite__evidence') }}

),

instances as (

    select * from {{ ref('images__instances') }}

),

asked_categories as (

    select distinct
        source_image_id,
        asked_category
    from coverage
    where asked_category is not null

),

outlined_objects as (

    select
        asked_categories.source_image_id,
        asked_categories.asked_category,
        count(instances.instance_id) as n_outlined
    from asked_categories
    left join instances
        on
            asked_categories.source_image_id = instances.source_image_id
            and asked_categories.asked_category = instances.category
    group by asked_categories.source_image_id, asked_categories.asked_category

),

-- a count is what the question was answered with; elsewhere the caption may say one by the way
compared_counts as (

    select
        coverage.candidate_id,
        bases.answer_type = 'integer' as is_count,
        case
            when bases.answer_type = 'integer' then bases.gold_answer
            else evidence.caption_number
        end as number_said,
        outlined_objects.n_outlined
    from coverage
    left join bases
        on coverage.base_id = bases.base_id
    left join evidence
        on coverage.base_id = evidence.base_id
    left join outlined_objects
        on
            coverage.source_image_id = outlined_objects.source_image_id
            and coverage.asked_category = outlined_objects.asked_category

),

-- "eleven players" beside one outline: ten of them stay in sight of whoever hides that one
final as (

    select
        candidate_id,
        number_said,
        n_outlined,
        number_said || ' said, '
        || coalesce(cast(n_outlined as {{ dbt.type_string() }}), 'none of them') || ' outlined'
            as drop_detail,
        case
            when is_count
                then coalesce(number_said = cast(n_outlined as {{ dbt.type_string() }}), false)
            else coalesce(cast(number_said as double) <= n_outlined, true)
        end as is_passed
    from compared_counts

)

select * from final
