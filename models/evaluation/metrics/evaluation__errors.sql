with

answers as (

    select * from {{ ref('evaluation__scored_answers') }}

),

measures as (

    select * from {{ ref('evaluation__measures') }}

),

memberships as (

    select * from {{ ref('evaluation__memberships') }}

),

metrics as (

    select * from {{ ref('evaluation__metrics') }}

),

-- which metrics are part of the mean of several
benchmark_parts as (

    select
        benchmark,
        {{ array_agg_unordered(struct_pack(metric='metric', part_of='part_of')) }} as parts
    from metrics
    group by benchmark

),

run_answers as (

    select
        source_file,
        matcher,
        {{ array_agg_unordered(struct_pack(
            number='file_position', key='example_resampling_key',
            cluster='image_resampling_key', cell='cell'
        )) }} as scored_answers,
        count(*) as n
    from answers
    group by source_file, matcher

),

metric_terms as (

    select
        source_file,
        matcher,
        benchmark,
        metric,
        {{ array_agg_unordered(struct_pack(
            number='file_position', numerator='numerator', denominator='denominator'
        )) }} as terms
    from measures
    group by source_file, matcher, benchmark, metric

),

run_terms as (

    select
        source_file,
        matcher,
        benchmark,
        {{ array_agg_unordered(struct_pack(metric='metric', terms='terms')) }} as measures
    from metric_terms
    group by source_file, matcher, benchmark

),

run_errors as (

    select
        run_answers.source_file,
        run_answers.matcher,
        gs_ratio_errors(
            run_answers.scored_answers,
            run_terms.measures,
            memberships.memberships,
            benchmark_parts.parts,
            {{ bootstrap_resamples('run_answers.n') }}
        ) as errors
    from run_answers
    inner join run_terms
        on
            run_answers.source_file = run_terms.source_file
            and run_answers.matcher = run_terms.matcher
    inner join memberships
        on
            run_answers.source_file = memberships.source_file
            and run_answers.matcher = memberships.matcher
    inner join benchmark_parts
        on run_terms.benchmark = benchmark_parts.benchmark

),

errors as (

    select
        source_file,
        matcher,
        {{ unnest_list('errors') }} as error
    from run_errors

),

final as (

    select
        source_file,
        matcher,
        {{ struct_extract('error', 'metric') }} as metric,
        {{ struct_extract('error', 'slice') }} as slice_number,
        {{ struct_extract('error', 'standard_deviation') }} as standard_deviation,
        {{ struct_extract('error', 'clustered_standard_error') }} as clustered_standard_error
    from errors

)

select * from final
