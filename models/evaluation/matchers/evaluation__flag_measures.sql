-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}
with
outcomes as (
    {{ union_of_ports(
        'outcomes',
        [
            'source_file', 'file_position', 'matcher', 'credit', 'is_contradiction',
            'is_image_only', 'is_text_only', 'is_distractor', 'is_none', 'is_yes', 'is_gold_yes',
        ],
        publishers=benchmarks_of('evaluation__flag_measures')
    ) | indent }}
),

-- CLASH's are shares of all answers; precision, recall and F1 are of yes, which is what POPE looks
-- for, and of no for AMBER
counts as (
    select
        outcomes.benchmark, outcomes.source_file, outcomes.file_position, outcomes.matcher,
        metrics.metric,
        case
            when metrics.metric = 'contradiction' then {{ one_if('outcomes.is_contradiction') }}
            when metrics.metric = 'image_only' then {{ one_if('outcomes.is_image_only') }}
            when metrics.metric = 'text_only' then {{ one_if('outcomes.is_text_only') }}
            when metrics.metric = 'distractor' then {{ one_if('outcomes.is_distractor') }}
            when metrics.metric = 'none' then {{ one_if('outcomes.is_none') }}
            when metrics.metric in ('accuracy', 'vqa_accuracy') then outcomes.credit
            -- of MMHal-Bench's ratings from 0 to 6 those below 3 tell of a hallucination
            when metrics.metric = 'mean_rating' then 6 * outcomes.credit
            when metrics.metric = 'hallucination_rate' then {{ one_if('outcomes.credit < 0.5') }}
            when metrics.metric in ('precision', 'recall')
                then {{ one_if('outcomes.is_yes and outcomes.is_gold_yes') }}
            when metrics.metric = 'f1'
                then 2 * {{ one_if('outcomes.is_yes and outcomes.is_gold_yes') }}
            when metrics.metric in ('precision_of_no', 'recall_of_no')
                then {{ one_if('not outcomes.is_yes and not outcomes.is_gold_yes') }}
            when metrics.metric = 'f1_of_no'
                then 2 * {{ one_if('not outcomes.is_yes and not outcomes.is_gold_yes') }}
            when metrics.metric = 'yes_ratio' then {{ one_if('outcomes.is_yes') }}
        end as numerator,
        case metrics.metric
            when 'precision' then {{ one_if('outcomes.is_yes') }}
            when 'recall' then {{ one_if('outcomes.is_gold_yes') }}
            when 'precision_of_no' then {{ one_if('not outcomes.is_yes') }}
            when 'recall_of_no' then {{ one_if('not outcomes.is_gold_yes') }}
            when 'f1_of_no'
                then
                    {{ one_if('not outcomes.is_yes') }} + {{ one_if('not outcomes.is_gold_yes') }}
            when 'f1'
                then {{ one_if('outcomes.is_yes') }} + {{ one_if('outcomes.is_gold_yes') }}
            else cast(1 as double)
        end as denominator
    from outcomes
    inner join {{ ref('evaluation__metrics') }} as metrics using (benchmark)
)

select * from counts
where numerator is not null
