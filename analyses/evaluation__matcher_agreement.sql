with
labels as (
    select * from {{ ref('evaluation__judge_labels') }}
    where reason is null
),

matches as (
    select * from {{ ref('evaluation__matches') }}
    where benchmark = 'clash'
),

columns as (
    select label, metric
    from {{ vocabulary('evaluation', 'clash_judge_labels', word='label', value='metric') }}
        as judge_labels
),

-- an answer of which both speak, once for every column of the published tables
compared_flags as (
    select
        matches.source_file, matches.condition, matches.model, matches.run, matches.matcher,
        labels.judge, columns.metric,
        case columns.metric
            when 'contradiction' then matches.is_contradiction
            when 'image_only' then matches.is_image_only
            when 'text_only' then matches.is_text_only
            when 'none' then matches.is_none
        end as is_said_by_matcher,
        labels.label = columns.label as is_said_by_judge
    from matches
    inner join labels using (source_file, file_position)
    cross join columns
),

shares as (
    select
        source_file, condition, model, run, matcher, judge, metric,
        avg({{ one_if('is_said_by_matcher') }}) as matcher_share,
        avg({{ one_if('is_said_by_judge') }}) as judge_share,
        avg({{ one_if('is_said_by_matcher = is_said_by_judge') }}) as agreement,
        sum(case when is_said_by_matcher and not is_said_by_judge then 1 else 0 end)
            as n_by_matcher_alone,
        sum(case when is_said_by_judge and not is_said_by_matcher then 1 else 0 end)
            as n_by_judge_alone,
        count(*) as n
    from compared_flags
    group by source_file, condition, model, run, matcher, judge, metric
)

select
    source_file,
    condition,
    model,
    run,
    matcher,
    judge,
    metric,
    {{ percentage('matcher_share') }} as matcher_value,
    {{ percentage('judge_share') }} as judge_value,
    {{ percentage('(matcher_share - judge_share)') }} as difference_in_points,
    {{ percentage('agreement') }} as agreement,
    cast(n_by_matcher_alone as bigint) as n_by_matcher_alone,
    cast(n_by_judge_alone as bigint) as n_by_judge_alone,
    n
from shares
