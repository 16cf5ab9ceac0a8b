{%- set box_width = occlusion_side('objects.width', 'boxed_examples.vision_area_fraction') %}
{%- set box_height = occlusion_side('objects.height', 'boxed_examples.vision_area_fraction') -%}
with

question_objects as (

    select * from {{ ref('occlusions__question_objects') }}

),

object_masks as (

    select * from {{ ref('occlusions__object_masks') }}

),

-- pictures that the Conflict Suite corrupts by a random box
boxed_examples as (

    select * from {{ ref('conflict_suite__examples') }}
    where operator = 'vision_corrupt'

),

objects as (

    select
        question_objects.*,
        object_masks.object_rle,
        object_masks.target_rle,
        object_masks.mask_error,
        object_masks.object_area,
        object_masks.target_area,
        object_masks.has_crowd,
        coalesce(object_masks.object_area, 0) > 0 as has_objects
    from question_objects
    left join object_masks
        on
            question_objects.source_image_id = object_masks.source_image_id
            and question_objects.categories = object_masks.categories

),

controls as (

    select
        base_id,
        gs_control_mask(
            object_rle, height, width, target_area,
            {{ seeded_order('occlusion_control', 'base_id') }}
        ) as control_mask
    from objects
    where has_objects

),

boxes as (

    select
        boxed_examples.example_id,
        boxed_examples.base_id,
        boxed_examples.vision_family as family,
        boxed_examples.vision_scale as scale,
        boxed_examples.severity,
        {{ occlusion_start('x', 'boxed_examples.example_id', 'objects.width', box_width) }}
            as box_left,
        {{ occlusion_start('y', 'boxed_examples.example_id', 'objects.height', box_height) }}
            as box_top,
        {{ box_width }} as box_width,
        {{ box_height }} as box_height
    from boxed_examples
    inner join objects
        on boxed_examples.base_id = objects.base_id

),

masks as (

    select
        base_id,
        'occlusion_target' as family,
        target_rle as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        gs_common_area(object_rle, target_rle, height, width) as covered_area
    from objects
    union all
    select
        objects.base_id,
        'occlusion_control' as family,
        {{ struct_extract('controls.control_mask', 'rle') }} as rle,
        {{ struct_extract('controls.control_mask', 'error') }} as recipe_error,
        gs_common_area(
            objects.object_rle,
            {{ struct_extract('controls.control_mask', 'rle') }},
            objects.height,
            objects.width
        ) as covered_area
    from objects
    left join controls
        on objects.base_id = controls.base_id
    union all
    -- the mask is dilated when it is painted over, so nothing of the objects stays
    select
        base_id,
        'inpaint_remove' as family,
        object_rle as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        object_area as covered_area
    from objects

),

occlusions as (

    select
        boxes.example_id,
        boxes.base_id,
        boxes.family,
        boxes.scale,
        cast(null as {{ dbt.type_string() }}) as rle,
        cast(null as {{ dbt.type_string() }}) as recipe_error,
        boxes.severity,
        boxes.box_left,
        boxes.box_top,
        boxes.box_width,
        boxes.box_height,
        gs_covered_area(
            objects.object_rle, objects.height, objects.width,
            boxes.box_left, boxes.box_top, boxes.box_width, boxes.box_height
        ) as covered_area
    from boxes
    inner join objects
        on boxes.base_id = objects.base_id
    union all
    select
        base_id || '::' || family as example_id,
        base_id,
        family,
        'coco_mask' as scale,
        rle,
        recipe_error,
        1 as severity,
        cast(null as bigint) as box_left,
        cast(null as bigint) as box_top,
        cast(null as bigint) as box_width,
        cast(null as bigint) as box_height,
        covered_area
    from masks

),

final as (

    select
        occlusions.example_id as candidate_id,
        occlusions.base_id,
        objects.source_image_id,
        -- another question or another hidden part is another picture to judge
        occlusions.example_id || '@' || substr(md5(
            objects.question || '|' || coalesce(
                occlusions.rle,
                cast(occlusions.box_left as {{ dbt.type_string() }})
                || ' ' || cast(occlusions.box_top as {{ dbt.type_string() }})
                || ' ' || cast(occlusions.box_width as {{ dbt.type_string() }})
                || ' ' || cast(occlusions.box_height as {{ dbt.type_string() }}),
                ''
            )
        ), 1, 12) as judged_picture_id,
        objects.question,
        objects.categories,
        objects.asked_category,
        occlusions.family,
        occlusions.scale,
        occlusions.rle,
        objects.object_rle,
        objects.mask_error,
        occlusions.recipe_error,
        occlusions.severity,
        objects.width as image_width,
        objects.height as image_height,
        occlusions.box_left,
        occlusions.box_top,
        occlusions.box_width,
        occlusions.box_height,
        objects.object_area,
        occlusions.covered_area,
        case
            when objects.has_objects
                then cast(occlusions.covered_area as double) / objects.object_area
        end as covered_share,
        objects.has_objects,
        objects.has_crowd,
        objects.is_about_object
    from occlusions
    inner join objects
        on occlusions.base_id = objects.base_id

)

select * from final
