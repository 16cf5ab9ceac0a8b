with

matches as (

    select * from {{ ref('evaluation__matches') }}

),

cells as (

    select * from {{ ref('evaluation__cells') }}

),

final as (

    select
        matches.source_file,
        matches.matcher,
        matches.file_position,
        cells.cell,
        {{ resampling_key('matches.example_id') }} as example_resampling_key,
        {{ resampling_key('matches.source_image_id') }} as image_resampling_key
    from matches
    inner join cells
        on
            matches.source_file = cells.source_file
            and matches.matcher = cells.matcher
            and matches.slices = cells.slices

)

select * from final
