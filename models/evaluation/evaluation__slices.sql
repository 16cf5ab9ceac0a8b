with

cells as (

    select * from {{ ref('evaluation__cells') }}

),

memberships as (

    select
        source_file,
        matcher,
        cell,
        {{ each(list_concat(list_of("'overall=all'"), 'slices')) }} as slice
    from cells

),

final as (

    select
        source_file,
        matcher,
        {{ first_match('slice', '^[^=]*') }} as slice_name,
        substr(slice, length({{ first_match('slice', '^[^=]*') }}) + 2) as slice_value,
        cell,
        dense_rank() over (
            partition by source_file, matcher
            order by slice
        ) - 1 as slice_number
    from memberships

)

select * from final
