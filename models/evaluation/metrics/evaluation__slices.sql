with
slice_sets as (
    select distinct source_file, matcher, slices, is_held_back
    from {{ ref('evaluation__matches') }}
),

-- answers of one run, matcher and set of slices are summed together before any slice is
cells as (
    select
        source_file, matcher,
        slices as cell_slices,
        case
            when is_held_back then slices
            else {{ list_concat(list_value("'overall=all'"), 'slices') }}
        end as slices,
        row_number() over (
            partition by source_file, matcher
            order by {{ array_join('slices', 'chr(10)') }}
        ) - 1 as cell
    from slice_sets
),

cell_slices as (
    select
        source_file, matcher, cell_slices, cell,
        {{ list_extract('slices', 1) }} as first_slice,
        {{ unnest_list('slices') }} as slice
    from cells
),

named_slices as (
    select
        source_file, matcher,
        {{ regexp_extract('slice', '^[^=]*') }} as slice_name,
        case when slice = first_slice then cell_slices end as cell_slices,
        cell,
        dense_rank() over (
            partition by source_file, matcher
            order by slice
        ) - 1 as slice_number,
        slice
    from cell_slices
)

-- one row of a cell, that of its first slice (`overall`, but of what is held back), names the set
-- of slices
select
    source_file, matcher, slice_name,
    substr(slice, length(slice_name) + 2) as slice_value,
    cell_slices, cell, slice_number
from named_slices
