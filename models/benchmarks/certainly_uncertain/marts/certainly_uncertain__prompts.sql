-- a view: nothing of it is needed before models are asked or answers have landed
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('certainly_uncertain__examples') }}),

predictions as (
    select * from {{ ref('stg_gainsay__predictions') }}
    where benchmark = 'certainly_uncertain' and gold_answer is not null
),

-- answers to examples of others bring them along: question and gold answer
delivered_examples as (
    select predictions.example_key, min(predictions.question) as question
    from predictions
    left join examples on predictions.example_key = examples.example_id
    where examples.example_id is null
    group by predictions.example_key
)

select
    example_id,
    example_id as example_key,
    example_id as asked_example_id,
    'open_ended' as task,
    'default' as condition,
    source_image_id, image_id, shown_image_id, recipe_id, question,
    cast(null as string) as context,
    cast(null as string) as choices,
    {{ instruction('certainly_uncertain_instruction') }} as instruction,
    substr(md5({{ instruction('certainly_uncertain_instruction') }}), 1, 8)
        as prompt_version
from examples
union all
select
    'certainly-uncertain-' || example_key as example_id,
    example_key,
    cast(null as string) as asked_example_id,
    'open_ended' as task,
    'default' as condition,
    'certainly_uncertain-' || example_key as source_image_id,
    cast(null as bigint) as image_id,
    cast(null as string) as shown_image_id,
    cast(null as string) as recipe_id,
    question,
    cast(null as string) as context,
    cast(null as string) as choices,
    cast(null as string) as instruction,
    cast(null as string) as prompt_version
from delivered_examples
