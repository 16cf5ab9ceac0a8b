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
        {{ field_of('found', 'error') }} as error,
        {{ field_of('found', 'left') }} as depth_left,
        {{ field_of('found', 'right') }} as depth_right,
        {{ field_of('found', 'top') }} as depth_top,
        {{ field_of('found', 'bottom') }} as depth_bottom
    from looked_at

)

select * from final
