with

-- alike files are read where the first of them lies, which is one file's path and archive
places as (

    select
        sha256,
        path,
        archive,
        row_number() over (partition by sha256 order by path) as place
    from {{ ref('images__files') }}

),

final as (

    select
        sha256,
        path,
        archive
    from places
    where place = 1

)

select * from final
