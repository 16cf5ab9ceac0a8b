with

images as (

    select * from {{ ref('reality_check__images') }}

),

annotations as (

    select * from {{ ref('images__annotations') }}

),

scenes as (

    select * from {{ ref('images__scenes') }}

),

label_counts as (

    select * from {{ ref('reality_check__label_counts') }}

),

place_names as (

    select * from {{ ref('reality_check__place_names') }}

),

labels as (

    select
        image_id,
        {{ array_agg('label', order_by='label') }} as labels,
        {{ array_agg(
            "label || ' ' || cast(n_objects as " ~ dbt.type_string() ~ ")", order_by='label'
        ) }} as counts
    from label_counts
    group by image_id

),

final as (

    select
        images.image_id,
        labels.labels,
        {{ array_join('labels.counts', "', '") }} as object_counts,
        scenes.scene,
        place_names.names as place_names,
        annotations.depth_left,
        annotations.shadow_angle_detected,
        annotations.taken_at
    from images
    left join labels
        on images.image_id = labels.image_id
    left join scenes
        on images.image_id = scenes.source_image_id
    left join place_names
        on images.image_id = place_names.image_id
    left join annotations
        on images.image_id = annotations.source_image_id

)

select * from final
