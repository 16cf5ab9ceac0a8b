with

pictures as (

    select * from {{ ref('images__contents') }}
    where '{{ var("detector") }}' <> ''

),

looked_at as (

    select
        sha256,
        gs_objects(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            '{{ var("detector") }}'
        ) as found
    from pictures

),

final as (

    select
        sha256 as image_sha256,
        {{ struct_extract('found', 'objects') }} as objects,
        {{ struct_extract('found', 'error') }} as error
    from looked_at

)

select * from final
