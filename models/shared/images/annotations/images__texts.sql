with

pictures as (

    select * from {{ ref('images__contents') }}
    where {{ var('annotate_ocr') }}

),

looked_at as (

    select
        sha256,
        gs_texts(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as found
    from pictures

),

final as (

    select
        sha256 as image_sha256,
        {{ struct_extract('found', 'words') }} as words,
        {{ struct_extract('found', 'error') }} as error
    from looked_at

)

select * from final
