with

pictures as (

    select * from {{ ref('images__contents') }}
    where {{ var('annotate_texture') }}

),

looked_at as (

    select
        sha256,
        gs_texture(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
        ) as found
    from pictures

),

final as (

    select
        sha256 as image_sha256,
        {{ struct_extract('found', 'error') }} as error,
        {{ struct_extract('found', 'edge_density') }} as edge_density,
        {{ struct_extract('found', 'dominant_texture_frequency') }} as dominant_texture_frequency,
        {{ struct_extract('found', 'is_silhouette_extractable') }} as is_silhouette_extractable
    from looked_at

)

select * from final
