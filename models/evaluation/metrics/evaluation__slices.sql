with

cells as (

    select
        source_file,
        matcher,
        cell,
        {{ list_concat(list_value("'overall=all'"), 'slices') }} as slices
    from {{ ref('evaluation__cells') }}

),

cell_slices as (

    select
        source_file,
        matcher,
        cell,
        {{ unnest_list('slices') }} as slice
    from cells

),

named_slices as (

    select
        source_file,
        matcher,
        {{ regexp_extract('slice', '^[^=]*') }} as slice_name,
        cell,
        dense_rank() over (
            partition by source_file, matcher
            order by slice
        ) - 1 as slice_number,
        slice
    from cell_slices

),

final as (

    select
        source_file,
        matcher,
        slice_name,
        substr(slice, length(slice_name) + 2) as slice_value,
        cell,
        slice_number
    from named_slices

)

select * from final
