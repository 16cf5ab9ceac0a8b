-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

with

outcomes as (

    select * from {{ ref('pope__outcomes') }}

),

metrics as (

    select * from {{ ref('pope__metrics') }}

),

-- yes is what is to be found
yes_counts as (

    select
        outcomes.source_file,
        outcomes.file_position,
        outcomes.matcher,
        metrics.metric,
        case metrics.metric
            when 'accuracy' then outcomes.credit
            when 'precision' then {{ one_if('outcomes.is_yes and outcomes.is_gold_yes') }}
            when 'recall' then {{ one_if('outcomes.is_yes and outcomes.is_gold_yes') }}
            when 'f1' then 2 * {{ one_if('outcomes.is_yes and outcomes.is_gold_yes') }}
            when 'yes_ratio' then {{ one_if('outcomes.is_yes') }}
        end as numerator,
        case metrics.metric
            when 'precision' then {{ one_if('outcomes.is_yes') }}
            when 'recall' then {{ one_if('outcomes.is_gold_yes') }}
            when 'f1'
                then {{ one_if('outcomes.is_yes') }} + {{ one_if('outcomes.is_gold_yes') }}
            else cast(1 as double)
        end as denominator
    from outcomes
    cross join metrics

),

final as (

    select * from yes_counts
    where numerator is not null

)

select * from final
