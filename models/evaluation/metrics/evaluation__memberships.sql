with

slices as (

    select * from {{ ref('evaluation__slices') }}

),

final as (

    select
        source_file,
        matcher,
        {{ array_agg_unordered(struct_pack(cell='cell', slice='slice_number')) }} as memberships
    from slices
    group by source_file, matcher

)

select * from final
