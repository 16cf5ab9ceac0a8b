with

matches as (

    select
        source_file,
        matcher,
        slices,
        example_id,
        confidence,
        credit,
        {{ seeded_key('risk_coverage', 'example_id') }} as tie
    from {{ ref('evaluation__matches') }}
    where
        confidence is not null
        and credit is not null

),

slices as (

    select * from {{ ref('evaluation__slices') }}

),

cells as (

    select * from {{ ref('evaluation__cells') }}

),

sliced as (

    select
        matches.source_file,
        matches.matcher,
        slices.slice_name,
        slices.slice_value,
        matches.example_id,
        matches.confidence,
        matches.credit,
        matches.tie
    from matches
    inner join cells
        on
            matches.source_file = cells.source_file
            and matches.matcher = cells.matcher
            and matches.slices = cells.slices
    inner join slices
        on
            cells.source_file = slices.source_file
            and cells.matcher = slices.matcher
            and cells.cell = slices.cell

),

-- the surest first; among equals an order that knows nothing of the answers
final as (

    select
        source_file,
        matcher,
        slice_name,
        slice_value,
        example_id,
        confidence,
        credit,
        row_number() over surest_first as place,
        count(*) over (
            partition by source_file, matcher, slice_name, slice_value
        ) as n,
        1 - sum(credit) over surest_first / row_number() over surest_first as risk
    from sliced
    window surest_first as (
        partition by source_file, matcher, slice_name, slice_value
        order by confidence desc, tie asc, example_id asc
        rows between unbounded preceding and current row
    )

)

select * from final
