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

slices as (

    select * from {{ ref('evaluation__slices') }}

),

-- weights as of the other metrics; the order among equals as of the curves
gathered as (

    select
        matches.source_file,
        matches.matcher,
        {{ list_of_rows(record_of(
            key=hex_value('substr(' ~ seeded_order('resample', 'matches.example_id') ~ ', 1, 15)'),
            cluster=hex_value(
                'substr(' ~ seeded_order('resample', 'matches.source_image_id') ~ ', 1, 15)'
            ),
            cell='cells.cell',
            tie=hex_value(
                'substr(' ~ seeded_order('risk_coverage', 'matches.example_id') ~ ', 1, 15)'
            ),
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

members as (

    select
        source_file,
        matcher,
        {{ list_of_rows(record_of(cell='cell', slice='slice_number')) }} as memberships
    from slices
    group by source_file, matcher

),

resampled as (

    select
        gathered.source_file,
        gathered.matcher,
        {{ each(
            'gs_confidence_errors(gathered.scored_rows, members.memberships, '
            ~ var('evaluation_calibration_bins') ~ ', ' ~ var('evaluation_curve_points') ~ ', '
            ~ var('evaluation_risk_coverage') ~ ', ' ~ bootstrap_resamples('gathered.n') ~ ')'
        ) }} as error
    from gathered
    inner join members
        on
            gathered.source_file = members.source_file
            and gathered.matcher = members.matcher

),

final as (

    select
        source_file,
        matcher,
        {{ field_of('error', 'slice') }} as slice_number,
        {{ field_of('error', 'metric') }} as metric,
        {{ field_of('error', 'standard_deviation') }} as standard_deviation,
        {{ field_of('error', 'clustered_standard_error') }} as clustered_standard_error
    from resampled

)

select * from final
