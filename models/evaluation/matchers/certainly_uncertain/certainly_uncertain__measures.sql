-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

with

outcomes as (

    select
        *,
        {{ one_if('is_abstained and is_gold_abstained') }} as n_both_abstained,
        {{ one_if('is_abstained') }} + {{ one_if('is_gold_abstained') }} as n_abstained,
        case
            when credit > 0 then credit * confidence
            when credit = 0 then -confidence
        end as confident_credit
    from {{ ref('certainly_uncertain__outcomes') }}

),

metrics as (

    select * from {{ ref('certainly_uncertain__metrics') }}

),

-- an answer without a rating has no credit, one without a confidence no confident credit
measured_answers as (

    select
        outcomes.source_file,
        outcomes.file_position,
        outcomes.matcher,
        metrics.metric,
        case metrics.metric
            when 'lave_idk' then outcomes.credit
            when 'f1_idk' then 2 * outcomes.n_both_abstained
            when 'confidence_weighted_accuracy' then outcomes.confident_credit
        end as numerator,
        case metrics.metric
            when 'f1_idk' then outcomes.n_abstained
            else cast(1 as double)
        end as denominator
    from outcomes
    cross join metrics

),

final as (

    select * from measured_answers
    where numerator is not null

)

select * from final
