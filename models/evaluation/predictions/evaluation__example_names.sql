-- a view: landing asks it about the ids of one file, and a build reads it once
{{ config(materialized='view') }}
with
questions as (select * from {{ ref('question_sets__questions') }}),

-- what is asked, and what is answered without being asked
prompts as (
    {{ union_of_ports(
        'prompts', [
            'example_id', 'example_key', 'asked_example_id', 'condition', 'source_image_id',
            'image_id', 'question',
        ],
        with_question_sets=true
    ) | indent }}
    union all
    select
        benchmark, example_id, example_key,
        cast(null as string) as asked_example_id,
        condition, source_image_id, image_id, question
    from questions
    where
        not is_asked
        -- one line here, a long one compiled
        and benchmark in ('{{ var('question_sets') | join("', '") }}') -- noqa: LT05
)

-- an example is named by its key or its id
select
    benchmark, example_key as name,
    'any' as condition,
    example_id, source_image_id, image_id, question
from prompts
union
select
    benchmark, example_id as name,
    'any' as condition,
    example_id, source_image_id, image_id, question
from prompts
union
-- under a condition it is named by the id of the record that is shown under it
select
    benchmark, asked_example_id as name, condition, example_id, source_image_id, image_id, question
from prompts
where asked_example_id not in (example_id, example_key)
union
-- and by the number that its authors gave it anew in every file: POPE's, a file for each setting
select
    benchmark, question_key as name, condition, example_id, source_image_id, image_id, question
from questions
where question_key <> example_key
