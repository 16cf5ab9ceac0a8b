-- a view: answers name the few of these examples that are read
{{ config(materialized='view') }}

with

conflict_suite as (

    select * from {{ ref('conflict_suite__examples') }}

),

conflict_suite_refined as (

    select * from {{ ref('conflict_suite_refined__examples') }}

),

occlusions as (

    select * from {{ ref('occlusions__examples') }}

),

final as (

    select
        'conflict_suite' as benchmark,
        example_id,
        base_id,
        cast(null as {{ dbt.type_string() }}) as paired_example_id,
        question,
        gold_answer,
        split,
        family,
        operator,
        text_state,
        image_state,
        answer_type,
        oracle_action,
        severity,
        target is null as is_abstention_right
    from conflict_suite
    union all
    select
        'conflict_suite_refined' as benchmark,
        example_id,
        base_id,
        cast(null as {{ dbt.type_string() }}) as paired_example_id,
        question,
        gold_answer,
        split,
        family,
        operator,
        text_state,
        image_state,
        answer_type,
        oracle_action,
        severity,
        target is null as is_abstention_right
    from conflict_suite_refined
    union all
    select
        'occlusions' as benchmark,
        example_id,
        base_id,
        paired_example_id,
        question,
        gold_answer,
        split,
        family,
        operator,
        text_state,
        image_state,
        answer_type,
        oracle_action,
        severity,
        target is null as is_abstention_right
    from occlusions

)

select * from final
