-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}
with
metrics as (
    select * from {{ ref('evaluation__metrics') }}
    where benchmark = 'clash'
),

-- each is a share of all answers
flag_counts as (
    select
        outcomes.source_file, outcomes.file_position, outcomes.matcher, metrics.metric,
        case metrics.metric
            when 'contradiction' then {{ one_if('outcomes.is_contradiction') }}
            when 'image_only' then {{ one_if('outcomes.is_image_only') }}
            when 'text_only' then {{ one_if('outcomes.is_text_only') }}
            when 'distractor' then {{ one_if('outcomes.is_distractor') }}
            when 'none' then {{ one_if('outcomes.is_none') }}
        end as numerator,
        cast(1 as double) as denominator
    from {{ ref('clash__outcomes') }} as outcomes
    cross join metrics
)

select * from flag_counts
where numerator is not null
