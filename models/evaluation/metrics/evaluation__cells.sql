-- answers of one run, matcher and set of slices are summed together before any slice is
with

matches as (

    select * from {{ ref('evaluation__matches') }}

),

slice_sets as (

    select distinct
        source_file,
        matcher,
        slices
    from matches

),

final as (

    select
        source_file,
        matcher,
        slices,
        row_number() over (
            partition by source_file, matcher
            order by {{ array_join('slices', 'chr(10)') }}
        ) - 1 as cell
    from slice_sets

)

select * from final
