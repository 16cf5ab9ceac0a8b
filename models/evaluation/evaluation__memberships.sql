with

slices as (

    select * from {{ ref('evaluation__slices') }}

),

final as (

    select
        source_file,
        matcher,
        {{ list_of_rows(record_of(cell='cell', slice='slice_number')) }} as memberships
    from slices
    group by source_file, matcher

)

select * from final
