with

measures as (

    select * from {{ ref('evaluation__measures') }}

),

slices as (

    select * from {{ ref('evaluation__slices') }}

),

-- the number that weights are drawn from belongs to the example, whatever the model
gathered as (

    select
        source_file,
        matcher,
        {{ list_of_rows(record_of(
            key=hex_value('substr(' ~ seeded_order('resample', 'example_id') ~ ', 1, 15)'),
            cluster=hex_value('substr(md5(source_image_id), 1, 15)'),
            cell='cell',
            measures='measures'
        )) }} as scored_rows
    from measures
    group by source_file, matcher

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
            'gs_ratio_errors(gathered.scored_rows, members.memberships, cast('
            ~ var('evaluation_bootstrap_resamples') ~ ' as bigint))'
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
        {{ field_of('error', 'position') }} as position,
        {{ field_of('error', 'standard_deviation') }} as standard_deviation,
        {{ field_of('error', 'clustered_standard_error') }} as clustered_standard_error
    from resampled

)

select * from final
