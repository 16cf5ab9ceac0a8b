with

measures as (

    select * from {{ ref('evaluation__measures') }}

),

memberships as (

    select * from {{ ref('evaluation__memberships') }}

),

metrics as (

    select * from {{ ref('evaluation_metrics') }}
    where part_of is not null

),

-- the ratios whose mean is a metric of its own
parts as (

    select
        benchmark,
        {{ array_agg('position', 'position') }} as positions
    from metrics
    group by benchmark

),

runs as (

    select distinct
        source_file,
        benchmark
    from {{ ref('evaluation__predictions') }}

),

-- the number that weights are drawn from belongs to the example, whatever the model
gathered as (

    select
        source_file,
        matcher,
        {{ array_agg_unordered(struct_pack(
            key=seeded_key('resample', 'example_id'),
            cluster=seeded_key('resample', 'source_image_id'),
            cell='cell',
            measures='measures'
        )) }} as scored_rows,
        count(*) as n
    from measures
    group by source_file, matcher

),

resampled as (

    select
        gathered.source_file,
        gathered.matcher,
        {{ unnest_list(
            'gs_ratio_errors(gathered.scored_rows, memberships.memberships, '
            ~ 'coalesce(parts.positions, ' ~ empty_list('bigint') ~ '), '
            ~ bootstrap_resamples('gathered.n') ~ ')'
        ) }} as error
    from gathered
    inner join memberships
        on
            gathered.source_file = memberships.source_file
            and gathered.matcher = memberships.matcher
    inner join runs
        on gathered.source_file = runs.source_file
    left join parts
        on runs.benchmark = parts.benchmark

),

final as (

    select
        source_file,
        matcher,
        {{ struct_extract('error', 'slice') }} as slice_number,
        {{ struct_extract('error', 'position') }} as position,
        {{ struct_extract('error', 'standard_deviation') }} as standard_deviation,
        {{ struct_extract('error', 'clustered_standard_error') }} as clustered_standard_error
    from resampled

)

select * from final
