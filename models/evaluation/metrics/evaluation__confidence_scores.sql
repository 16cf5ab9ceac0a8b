{%- set n_bins %}cast({{ threshold('shared', 'calibration_bins') }} as integer){% endset -%}
with
ranked as (select * from {{ ref('evaluation__ranked') }}),

slices as (
    select distinct source_file, matcher, slice_number, slice_name, slice_value
    from {{ ref('evaluation__slices') }}
),

matches as (
    select * from {{ ref('evaluation__matches') }}
    where confidence is not null and credit is not null
),

-- which cells are in which slices
memberships as (
    select
        source_file, matcher,
        {{ array_agg_unordered(struct_pack(cell='cell', slice='slice_number')) }} as memberships
    from {{ ref('evaluation__slices') }}
    group by source_file, matcher
),

-- weights as of the other metrics; the order among equals as of the curves
confident_answers as (
    select
        matches.source_file, matches.matcher, answers.example_resampling_key,
        answers.image_resampling_key, answers.cell,
        {{ seeded_key('risk_coverage', 'matches.example_id') }} as tie,
        matches.confidence, matches.credit
    from matches
    inner join {{ ref('evaluation__scored_answers') }} as answers
        using (source_file, matcher, file_position)
),

run_answers as (
    select
        source_file, matcher,
        {{ array_agg_unordered(struct_pack(
            key='example_resampling_key', cluster='image_resampling_key', cell='cell', tie='tie',
            confidence='confidence', credit='credit'
        )) }} as scored_answers,
        count(*) as n
    from confident_answers
    group by source_file, matcher
),

limits as (
    select
        {{ n_bins }} as n_bins,
        cast({{ threshold('shared', 'curve_points') }} as integer) as n_points,
        cast({{ threshold('shared', 'risk_coverage') }} as double) as risk_coverage
),

run_errors as (
    select
        run_answers.source_file, run_answers.matcher,
        gs_confidence_errors(
            run_answers.scored_answers,
            memberships.memberships,
            limits.n_bins,
            limits.n_points,
            limits.risk_coverage,
            {{ bootstrap_resamples('run_answers.n') }}
        ) as errors
    from run_answers
    inner join memberships using (source_file, matcher)
    cross join limits
),

unnested_errors as (
    select source_file, matcher, {{ unnest_list('errors') }} as error from run_errors
),

errors as (
    select
        source_file, matcher,
        error.slice as slice_number,
        error.metric as metric,
        error.standard_deviation as standard_deviation,
        error.clustered_standard_error as clustered_standard_error
    from unnested_errors
),

confidence_bins as (
    select
        source_file, matcher, slice_name, slice_value,
        least(
            cast(floor(confidence * {{ n_bins }}) as integer),
            {{ n_bins }} - 1
        ) as bin,
        sum(confidence) as total_confidence,
        sum(credit) as total_credit,
        count(*) as n
    from ranked
    group by source_file, matcher, slice_name, slice_value, bin
),

calibration_errors as (
    select
        source_file, matcher, slice_name, slice_value, 'ece' as metric,
        sum(abs(total_credit - total_confidence)) / sum(n) as value,
        sum(n) as n
    from confidence_bins
    group by source_file, matcher, slice_name, slice_value
),

-- trapezoids between neighbouring points of the risk-coverage curve
curve_steps as (
    select
        *,
        lag(risk) over (
            partition by source_file, matcher, slice_name, slice_value
            order by place
        ) as former_risk
    from ranked
),

curve_areas as (
    select
        source_file, matcher, slice_name, slice_value, 'aurc' as metric,
        coalesce(sum((former_risk + risk) / 2), 0) / max(n) as value,
        max(n) as n
    from curve_steps
    group by source_file, matcher, slice_name, slice_value
),

-- the first point with enough coverage
risks_at_coverage as (
    select
        source_file, matcher, slice_name, slice_value, 'risk_at_coverage' as metric,
        {{ min_by('risk', 'place') }} as value,
        max(n) as n
    from ranked
    where place >= {{ threshold('shared', 'risk_coverage') }} * n - 0.000000001
    group by source_file, matcher, slice_name, slice_value
),

scores as (
    select * from calibration_errors
    union all
    select * from curve_areas
    union all
    select * from risks_at_coverage
)

select
    scores.source_file, scores.matcher, scores.slice_name, scores.slice_value, scores.metric,
    scores.value,
    errors.standard_deviation, errors.clustered_standard_error,
    cast(scores.n as bigint) as n
from scores
inner join slices using (source_file, matcher, slice_name, slice_value)
inner join errors
    on
        slices.source_file = errors.source_file
        and slices.matcher = errors.matcher
        and slices.slice_number = errors.slice_number
        and scores.metric = errors.metric
