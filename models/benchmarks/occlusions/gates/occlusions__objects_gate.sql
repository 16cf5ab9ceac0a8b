with

coverage as (

    select * from {{ ref('occlusions__coverage') }}

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

absence_answers as (

    select * from {{ ref('occlusions_absence_answers') }}

),

-- a bus that is painted over says nothing of its wheels: only what is asked for can be absent
final as (

    select
        coverage.candidate_id,
        coverage.categories,
        coverage.object_area,
        coverage.has_objects
        and (absence_answers.operator is null or coverage.is_about_object) as is_passed
    from coverage
    left join bases
        on coverage.base_id = bases.base_id
    left join absence_answers
        on
            coverage.family = absence_answers.operator
            and bases.answer_type = absence_answers.answer_type

)

select * from final
