with

ranked as (

    select * from {{ ref('evaluation__ranked') }}

),

suite_matches as (

    select * from {{ ref('evaluation__conflict_suite_matches') }}

),

matches as (

    select * from {{ ref('evaluation__matches') }}

),

binned as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        least(
            cast(floor(confidence * {{ var('evaluation_calibration_bins') }}) as integer),
            {{ var('evaluation_calibration_bins') }} - 1
        ) as bin,
        sum(confidence) as total_confidence,
        sum(credit) as total_credit,
        count(*) as n
    from ranked
    group by source_file, matcher, slice_name, slice_value, bin

),

calibration as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        'ece' as metric,
        sum(abs(total_credit - total_confidence)) / sum(n) as value,
        sum(n) as n
    from binned
    group by source_file, matcher, slice_name, slice_value

),

-- trapezoids between neighbouring points of the risk-coverage curve
steps as (

    select
        *,
        lag(risk) over (
            partition by source_file, matcher, slice_name, slice_value
            order by place
        ) as former_risk
    from ranked

),

areas as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        'aurc' as metric,
        coalesce(sum((former_risk + risk) / 2), 0) / max(n) as value,
        max(n) as n
    from steps
    group by source_file, matcher, slice_name, slice_value

),

-- the first point with enough coverage
covered as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        'risk_at_coverage' as metric,
        {{ first_by('risk', 'place') }} as value,
        max(n) as n
    from ranked
    where place >= {{ var('evaluation_risk_coverage') }} * n - 0.000000001
    group by source_file, matcher, slice_name, slice_value

),

-- the clean picture and its corruptions, from mild to severe
ladder as (

    select
        suite_matches.source_file,
        matches.matcher,
        suite_matches.base_id,
        suite_matches.severity,
        suite_matches.is_correct,
        lag(suite_matches.is_correct) over (
            partition by suite_matches.source_file, suite_matches.base_id
            order by suite_matches.severity
        ) as was_correct
    from suite_matches
    inner join matches
        on
            suite_matches.source_file = matches.source_file
            and suite_matches.file_position = matches.file_position
    where suite_matches.operator in ('clean', 'vision_corrupt')

),

-- an answer that turns right as the picture gets worse
violations as (

    select
        source_file,
        matcher,
        'overall' as slice_name,
        'all' as slice_value,
        'monotonicity_violation_rate' as metric,
        avg({{ one_if('is_correct and not was_correct') }}) as value,
        count(*) as n
    from ladder
    where was_correct is not null
    group by source_file, matcher

),

stated as (

    select
        source_file,
        matcher,
        stated_action,
        oracle_action
    from matches
    where
        benchmark = 'conflict_suite'
        and stated_action is not null

),

mentioned as (

    select
        source_file,
        matcher,
        stated_action as oracle_action,
        1 as n_stated,
        0 as n_oracle,
        0 as n_both
    from stated
    union all
    select
        source_file,
        matcher,
        oracle_action,
        0,
        1,
        case when stated_action = oracle_action then 1 else 0 end
    from stated

),

action_scores as (

    select
        source_file,
        matcher,
        oracle_action,
        cast(2 * sum(n_both) as double) / (sum(n_stated) + sum(n_oracle)) as f1,
        sum(n_oracle) as n
    from mentioned
    group by source_file, matcher, oracle_action

),

-- over the actions that are right or stated somewhere
macro_f1 as (

    select
        source_file,
        matcher,
        'overall' as slice_name,
        'all' as slice_value,
        'action_macro_f1' as metric,
        avg(f1) as value,
        sum(n) as n
    from action_scores
    group by source_file, matcher

),

scores as (

    select * from calibration
    union all
    select * from areas
    union all
    select * from covered
    union all
    select * from violations
    union all
    select * from macro_f1

),

-- no ratios of sums: their deviation is not computed
final as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        metric,
        'share' as unit,
        value,
        cast(null as double) as standard_deviation,
        cast(null as double) as clustered_standard_error,
        cast(n as bigint) as n
    from scores

)

select * from final
