-- a view, because it repeats the texts of the examples
{{ config(materialized='view') }}

with

examples as (

    select * from {{ ref('conflict_suite__examples') }}

),

final as (

    select
        example_id,
        example_id as example_key,
        'open_ended' as task,
        'default' as condition,
        source_image_id,
        image_id,
        shown_image_id,
        recipe_id,
        question,
        text_input as context,
        cast(null as {{ dbt.type_string() }}) as choices,
        {{ text_literal(var('export_instruction')) }} as instruction,
        -- another wording is another version
        substr(md5({{ text_literal(var('export_instruction')) }}), 1, 8) as prompt_version
    from examples

)

select * from final
