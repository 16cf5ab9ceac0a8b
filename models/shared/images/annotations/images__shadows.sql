with

pictures as (

    select * from {{ ref('images__contents') }}
    where {{ var('annotate_shadow') }}

),

looked_at as (

    select
        sha256,
        gs_shadow(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as found
    from pictures

),

final as (

    select
        sha256 as image_sha256,
        {{ struct_extract('found', 'error') }} as error,
        {{ struct_extract('found', 'angle') }} as shadow_angle_detected
    from looked_at

)

select * from final
