-- a view, because it repeats the texts of the samples
{{ config(materialized='view') }}
with
examples as (select * from {{ ref('clash__examples') }}),
choices as (select * from {{ ref('clash__choices') }}),

sample_choices as (
    select
        sample_id,
        cast(to_json({{ array_agg(
            struct_pack(letter='letter', kind='choice_kind', text='choice'), order_by='letter'
        ) }}) as string) as choices
    from choices
    group by sample_id
),

open_ended as (
    select
        example_id, sample_id, origin, 'open_ended' as task, condition, source_image_id, image_id,
        question, caption_shown, cast(null as string) as choices
    from examples
),

multiple_choice as (
    select
        examples.example_id, examples.sample_id, examples.origin, 'multiple_choice' as task,
        examples.condition, examples.source_image_id, examples.image_id, examples.question,
        examples.caption_shown, sample_choices.choices
    from examples
    inner join sample_choices using (sample_id)
),

both_tasks as (
    select * from open_ended
    union all
    select * from multiple_choice
)

-- answers are about a sample under a condition. Published files name a sample of the test set by
-- its picture; a generated sample is named by its id
select
    sample_id as example_id,
    case
        when origin = 'released' then cast(image_id as string)
        else sample_id
    end as example_key,
    example_id as asked_example_id,
    task,
    condition,
    source_image_id,
    image_id,
    source_image_id as shown_image_id,
    cast(null as string) as recipe_id,
    question,
    caption_shown as context,
    choices,
    -- the files of gainsay/lm/prompts say how to answer
    cast(null as string) as instruction,
    cast(null as string) as prompt_version
from both_tasks
