with

cells as (

    select * from {{ ref('evaluation__cells') }}

),

memberships as (

    select
        source_file,
        matcher,
        cell,
        {{ unnest_list(list_concat(list_value("'overall=all'"), 'slices')) }} as slice
    from cells

),

final as (

    select
        source_file,
        matcher,
        {{ regexp_extract('slice', '^[^=]*') }} as slice_name,
        substr(slice, length({{ regexp_extract('slice', '^[^=]*') }}) + 2) as slice_value,
        cell,
        dense_rank() over (
            partition by source_file, matcher
            order by slice
        ) - 1 as slice_number
    from memberships

)

select * from final
