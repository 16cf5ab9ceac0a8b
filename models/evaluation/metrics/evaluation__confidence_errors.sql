with

matches as (

    select * from {{ ref('evaluation__matches') }}
    where
        confidence is not null
        and credit is not null

),

cells as (

    select * from {{ ref('evaluation__cells') }}

),

memberships as (

    select * from {{ ref('evaluation__memberships') }}

),

-- weights as of the other metrics; the order among equals as of the curves
gathered as (

    select
        matches.source_file,
        matches.matcher,
        {{ array_agg_unordered(struct_pack(
            key=seeded_key('resample', 'matches.example_id'),
            cluster=seeded_key('resample', 'matches.source_image_id'),
            cell='cells.cell',
            tie=seeded_key('risk_coverage', 'matches.example_id'),
            confidence='matches.confidence',
            credit='matches.credit'
        )) }} as scored_rows,
        count(*) as n
    from matches
    inner join cells
        on
            matches.source_file = cells.source_file
            and matches.matcher = cells.matcher
            and matches.slices = cells.slices
    group by matches.source_file, matches.matcher

),

resampled as (

    select
        gathered.source_file,
        gathered.matcher,
        {{ unnest_list(
            'gs_confidence_errors(gathered.scored_rows, memberships.memberships, '
            ~ var('evaluation_calibration_bins') ~ ', ' ~ var('evaluation_curve_points') ~ ', '
            ~ var('evaluation_risk_coverage') ~ ', ' ~ bootstrap_resamples('gathered.n') ~ ')'
        ) }} as error
    from gathered
    inner join memberships
        on
            gathered.source_file = memberships.source_file
            and gathered.matcher = memberships.matcher

),

final as (

    select
        source_file,
        matcher,
        {{ struct_extract('error', 'slice') }} as slice_number,
        {{ struct_extract('error', 'metric') }} as metric,
        {{ struct_extract('error', 'standard_deviation') }} as standard_deviation,
        {{ struct_extract('error', 'clustered_standard_error') }} as clustered_standard_error
    from resampled

)

select * from final
