{%- set n_bins %}cast({{ threshold('shared', 'calibration_bins') }} as integer){% endset -%}
{%- set n_points %}cast({{ threshold('shared', 'curve_points') }} as bigint){% endset -%}
with
ranked as (
    select *, place * {{ n_points }} + n - 1 as place_in_points
    from {{ ref('evaluation__ranked') }}
    where slice_name = 'overall'
),

-- a curve of a million points is drawn by one point per step of coverage
curve_points as (
    select
        source_file, matcher,
        {{ integer_division('place_in_points', 'n') }} as point,
        cast(place as double) / n as coverage,
        risk, place
    from ranked
),

risk_coverage as (
    select
        source_file, matcher, 'risk_coverage' as curve,
        cast(point as bigint) as point,
        max(coverage) as x,
        {{ min_by('risk', '-place') }} as y,
        max(place) as n
    from curve_points
    group by source_file, matcher, point
),

reliability as (
    select
        source_file, matcher, 'reliability' as curve,
        cast(least(
            cast(floor(confidence * {{ n_bins }}) as integer) + 1,
            {{ n_bins }}
        ) as bigint) as point,
        avg(confidence) as x,
        avg(credit) as y,
        count(*) as n
    from ranked
    group by source_file, matcher, point
),

curves as (
    select * from risk_coverage
    union all
    select * from reliability
)

-- nine places are more than any sample supports and hide the order of a sum
select
    source_file,
    matcher,
    curve,
    point,
    {{ nine_places('x') }} as x,
    {{ nine_places('y') }} as y,
    n
from curves
