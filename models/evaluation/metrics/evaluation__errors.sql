with
measures as (select * from {{ ref('evaluation__measures') }}),

-- which cells are in which slices
memberships as (
    select
        source_file, matcher,
        {{ array_agg_unordered(struct_pack(cell='cell', slice='slice_number')) }} as memberships
    from {{ ref('evaluation__slices') }}
    group by source_file, matcher
),

-- which metrics are part of the mean of several
benchmark_parts as (
    select
        benchmark,
        {{ array_agg_unordered(struct_pack(metric='metric', part_of='part_of')) }} as parts
    from {{ ref('evaluation__metrics') }}
    group by benchmark
),

run_answers as (
    select
        source_file, matcher,
        {{ array_agg_unordered(struct_pack(
            number='file_position', key='example_resampling_key',
            cluster='image_resampling_key', cell='cell'
        )) }} as scored_answers,
        count(*) as n
    from {{ ref('evaluation__scored_answers') }}
    group by source_file, matcher
),

-- answers that add the same are listed together
equal_measures as (
    select
        source_file, matcher, benchmark, metric, numerator, denominator,
        {{ array_agg_unordered('file_position') }} as numbers
    from measures
    where denominator > 0
    group by source_file, matcher, benchmark, metric, numerator, denominator
),

run_measures as (
    select
        source_file, matcher, benchmark,
        {{ array_agg_unordered(struct_pack(
            metric='metric', numerator='numerator', denominator='denominator',
            numbers='numbers'
        )) }} as measures
    from equal_measures
    group by source_file, matcher, benchmark
),

run_errors as (
    select
        run_answers.source_file, run_answers.matcher,
        gs_ratio_errors(
            run_answers.scored_answers,
            run_measures.measures, memberships.memberships, benchmark_parts.parts,
            {{ bootstrap_resamples('run_answers.n') }}
        ) as errors
    from run_answers
    inner join run_measures using (source_file, matcher)
    inner join memberships using (source_file, matcher)
    inner join benchmark_parts using (benchmark)
),

errors as (
    select source_file, matcher, {{ unnest_list('errors') }} as error from run_errors
)

select
    source_file, matcher,
    error.metric as metric,
    error.slice as slice_number,
    error.standard_deviation as standard_deviation,
    error.clustered_standard_error as clustered_standard_error
from errors
