with

pictures as (

    select * from {{ ref('images__contents') }}
    where '{{ var("depth_network") }}' <> ''

),

looked_at as (

    select
        sha256,
        gs_depth(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            '{{ var("depth_network") }}'
        ) as found
    from pictures

),

final as (

    select
        sha256 as image_sha256,
        {{ struct_extract('found', 'error') }} as error,
        {{ struct_extract('found', 'left') }} as depth_left,
        {{ struct_extract('found', 'right') }} as depth_right,
        {{ struct_extract('found', 'top') }} as depth_top,
        {{ struct_extract('found', 'bottom') }} as depth_bottom
    from looked_at

)

select * from final
