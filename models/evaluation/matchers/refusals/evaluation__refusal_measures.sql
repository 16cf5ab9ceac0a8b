-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

with

answers as (

    select * from {{ ref('evaluation__refusal_answers') }}

),

-- an answer without a rating has no LAVE_idk
final as (

    select
        benchmark,
        source_file,
        file_position,
        matcher,
        'lave_idk' as metric,
        credit as numerator,
        cast(1 as double) as denominator
    from answers
    where credit is not null
    union all
    select
        benchmark,
        source_file,
        file_position,
        matcher,
        'f1_idk',
        2 * {{ one_if('is_abstained and is_gold_abstained') }},
        {{ one_if('is_abstained') }} + {{ one_if('is_gold_abstained') }}
    from answers

)

select * from final
