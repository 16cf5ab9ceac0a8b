-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

with

predictions as (

    select * from {{ ref('stg_gainsay__predictions') }}
    where
        benchmark = 'certainly_uncertain'
        and gold_answer is not null

),

-- answers to this benchmark bring their example along: question and gold answer
final as (

    select
        'certainly-uncertain-' || example_key as example_id,
        example_key,
        'open_ended' as task,
        'default' as condition,
        'certainly_uncertain-' || example_key as source_image_id,
        cast(null as bigint) as image_id,
        cast(null as {{ dbt.type_string() }}) as shown_image_id,
        cast(null as {{ dbt.type_string() }}) as recipe_id,
        min(question) as question,
        cast(null as {{ dbt.type_string() }}) as context,
        cast(null as {{ dbt.type_string() }}) as choices,
        cast(null as {{ dbt.type_string() }}) as instruction,
        cast(null as {{ dbt.type_string() }}) as prompt_version
    from predictions
    group by example_key

)

select * from final
