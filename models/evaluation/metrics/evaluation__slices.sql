with
slice_sets as (
    select distinct
        source_file,
        matcher,
        slices
    from {{ ref('evaluation__matches') }}
),

-- answers of one run, matcher and set of slices are summed together before any slice is
cells as (
    select
        source_file,
        matcher,
        slices as cell_slices,
        {{ list_concat(list_value("'overall=all'"), 'slices') }} as slices,
        row_number() over (
            partition by source_file, matcher
            order by {{ array_join('slices', 'chr(10)') }}
        ) - 1 as cell
    from slice_sets
),

cell_slices as (
    select
        source_file,
        matcher,
        cell_slices,
        cell,
        {{ unnest_list('slices') }} as slice
    from cells
),

named_slices as (
    select
        source_file,
        matcher,
        {{ regexp_extract('slice', '^[^=]*') }} as slice_name,
        cell_slices,
        cell,
        dense_rank() over (
            partition by source_file, matcher
            order by slice
        ) - 1 as slice_number,
        slice
    from cell_slices
)

-- a cell is in the slice `overall` once, whose row alone says which set of slices it is
select
    source_file,
    matcher,
    slice_name,
    substr(slice, length(slice_name) + 2) as slice_value,
    case when slice_name = 'overall' then cell_slices end as cell_slices,
    cell,
    slice_number
from named_slices
