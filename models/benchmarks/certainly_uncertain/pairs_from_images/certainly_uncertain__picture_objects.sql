-- a view, because its readers want few of its columns, and of few images
{{ config(materialized='view') }}
with
scene_graphs as (
    select * from {{ ref('stg_gqa__scene_graphs') }}
    where occurrence = 1
),

scene_graph_objects as (
    select source_image_id, {{ unnest_list('objects') }} as seen from scene_graphs
),

boxes as (
    select
        source_image_id,
        seen.object_id as object_key,
        seen.name as object_name,
        cast(seen.x as double) as box_left,
        cast(seen.y as double) as box_top,
        cast(seen.x + seen.w as double)
            as box_right,
        cast(seen.y + seen.h as double)
            as box_bottom
    from scene_graph_objects
)

select
    source_image_id,
    cast(instance_id as string) as object_key,
    category as object_name,
    segmentation_polygons, segmentation_rle_counts, segmentation_rle_string, segmentation_rle_size,
    false as is_box, is_crowd
from {{ ref('images__instances') }}
union all
-- a scene graph knows boxes alone, and they stand for masks
select
    source_image_id, object_key, object_name,
    {{ list_value(list_value(
        'box_left', 'box_top', 'box_right', 'box_top',
        'box_right', 'box_bottom', 'box_left', 'box_bottom'
    )) }} as segmentation_polygons,
    cast(null as {{ engine_type('bigint[]') }}) as segmentation_rle_counts,
    cast(null as string) as segmentation_rle_string,
    cast(null as {{ engine_type('bigint[]') }}) as segmentation_rle_size,
    true as is_box, false as is_crowd
from boxes
