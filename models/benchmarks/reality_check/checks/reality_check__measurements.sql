with
label_counts as (select * from {{ ref('reality_check__label_counts') }}),
place_names as (select * from {{ ref('reality_check__place_names') }}),

told_counts as (
    select image_id, label, label || ' ' || cast(n_objects as string) as told_count
    from label_counts
),

labels as (
    select
        image_id,
        {{ array_agg('label', order_by='label') }} as labels,
        {{ array_agg('told_count', order_by='label') }} as told_counts
    from told_counts
    group by image_id
),

-- the color of a label that stands once is that of its one object
told_colors as (
    select
        label_counts.image_id, label_counts.label,
        label_counts.label || ' ' || object_colors.color as told_color
    from label_counts
    inner join {{ ref('reality_check__object_colors') }} as object_colors
        on
            label_counts.image_id = object_colors.source_image_id
            and label_counts.label = object_colors.label
    where
        label_counts.n_objects = 1
        and label_counts.n_crowds = 0
        and object_colors.color is not null
),

colors as (
    select
        image_id,
        {{ array_agg('label', order_by='label') }} as colored_labels,
        {{ array_agg('told_color', order_by='label') }} as label_colors
    from told_colors
    group by image_id
)

select
    images.image_id, labels.labels,
    {{ array_join('labels.told_counts', "', '") }} as object_counts,
    scenes.scene,
    place_names.names as place_names,
    colors.colored_labels, colors.label_colors, annotations.depth_left,
    annotations.shadow_angle_detected, places_and_times.taken_at
from {{ ref('reality_check__images') }} as images
left join labels using (image_id)
left join colors using (image_id)
left join {{ ref('reality_check__scenes') }} as scenes on images.image_id = scenes.source_image_id
left join place_names using (image_id)
left join {{ ref('images__annotations') }} as annotations
    on images.image_id = annotations.source_image_id
left join {{ ref('reality_check__places_and_times') }} as places_and_times
    on images.image_id = places_and_times.source_image_id
