{{ config(materialized=kept_as('r-tuning')) }}

with

records as (

    select * from {{ ref('exports__records') }}
    where picture_state = 'available'

),

{% if var('export_r_tuning_model') -%}
-- what a matcher finds right is right, and what no rule or judge rates stays out
landed_answers as (

    select
        benchmark,
        example_id,
        max(credit) = 1 as is_right
    from {{ ref('evaluation__matches') }}
    where
        model = {{ text_literal(var('export_r_tuning_model')) }}
        and credit is not null
    group by benchmark, example_id

),

-- a model that answers wrongly learns to say that it does not know
taught_answers as (

    select
        records.*,
        case
            when landed_answers.is_right or records.is_abstention_right then records.target
            else records.rejected
        end as answer,
        landed_answers.is_right as is_sure
    from records
    inner join landed_answers
        on
            records.benchmark = landed_answers.benchmark
            and records.example_id = landed_answers.example_id
    where records.split = 'train'

),

{% else -%}
taught_answers as (

    select
        *,
        gold_answer as answer,
        not is_abstention_right as is_sure
    from records

),

{% endif -%}
final as (

    select
        benchmark,
        example_id,
        split,
        prompt,
        answer,
        is_sure,
        image,
        image_path,
        image_archive
    from taught_answers

)

select * from final
