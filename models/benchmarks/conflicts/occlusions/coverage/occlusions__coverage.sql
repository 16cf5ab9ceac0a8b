{%- set box_width = occlusion_side('objects.width', 'boxed_examples.vision_area_fraction') %}
{%- set box_height = occlusion_side('objects.height', 'boxed_examples.vision_area_fraction') -%}
with
objects as (select * from {{ ref('occlusions__question_objects') }}),

files as (
    select source_image_id from {{ ref('images__files') }}
),

box_variants as (
    select * from {{ ref('variant_definitions') }}
    where operator = 'vision_corrupt'
),

-- pictures that the Conflict Suite corrupts by a random box, called as its examples are
boxed_examples as (
    select
        bases.base_id || '::' || box_variants.variant_id as example_id,
        bases.base_id, box_variants.vision_family, box_variants.vision_scale, box_variants.severity,
        box_variants.vision_area_fraction
    from {{ ref('conflict_suite__bases') }} as bases
    cross join box_variants
),

-- the Conflict Suite drops these for their withdrawn picture alone; they would be bases here
withdrawn_bases as (
    select * from {{ ref('conflict_suite__screened') }}
    where drop_stage = 'withdrawal'
),

-- the hole of a target moved to where nothing of the objects is
controls as {{ computed_once() }} (
    select
        base_id,
        gs_control_mask(
            object_rle, height, width, target_rle,
            {{ seeded_order('occlusion_control', 'base_id') }}
        ) as control_mask
    from objects
    where has_objects
),

boxes as (
    select
        boxed_examples.example_id, boxed_examples.base_id,
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
    inner join objects using (base_id)
),

masks as (
    select
        objects.base_id, 'occlusion_target' as family,
        objects.target_rle as rle,
        -- a hole that no picture has elsewhere says by itself that it hides the objects
        controls.control_mask.error as recipe_error,
        gs_common_area(objects.object_rle, objects.target_rle, objects.height, objects.width)
            as covered_area
    from objects
    left join controls using (base_id)
    union all
    select
        objects.base_id, 'occlusion_control' as family,
        controls.control_mask.rle as rle,
        controls.control_mask.error as recipe_error,
        gs_common_area(
            objects.object_rle,
            controls.control_mask.rle,
            objects.height,
            objects.width
        ) as covered_area
    from objects
    left join controls using (base_id)
    union all
    -- the mask is dilated when it is painted over, so nothing of the objects stays
    select
        base_id, 'inpaint_remove' as family,
        object_rle as rle,
        cast(null as string) as recipe_error,
        object_area as covered_area
    from objects
),

occlusions as (
    select
        boxes.example_id, boxes.base_id, boxes.family, boxes.scale, cast(null as string) as rle,
        cast(null as string) as recipe_error, boxes.severity, boxes.box_left, boxes.box_top,
        boxes.box_width, boxes.box_height,
        gs_covered_area(
            objects.object_rle, objects.height, objects.width,
            boxes.box_left, boxes.box_top, boxes.box_width, boxes.box_height
        ) as covered_area
    from boxes
    inner join objects using (base_id)
    union all
    select
        base_id || '::' || family as example_id,
        base_id, family, 'coco_mask' as scale, rle, recipe_error, 1 as severity,
        cast(null as bigint) as box_left, cast(null as bigint) as box_top,
        cast(null as bigint) as box_width, cast(null as bigint) as box_height, covered_area
    from masks
),

covered_objects as (
    select
        occlusions.example_id as candidate_id,
        occlusions.base_id, objects.source_image_id,
        -- another question or another hidden part is another picture to judge
        occlusions.example_id || '@' || substr(md5(
            objects.question || '|' || coalesce(
                occlusions.rle,
                cast(occlusions.box_left as string)
                || ' ' || cast(occlusions.box_top as string)
                || ' ' || cast(occlusions.box_width as string)
                || ' ' || cast(occlusions.box_height as string),
                ''
            )
        ), 1, 12) as judged_picture_id,
        objects.question, objects.categories, objects.asked_category, occlusions.family,
        occlusions.scale, occlusions.rle, objects.object_rle, objects.mask_error,
        occlusions.recipe_error, cast(null as string) as withdrawal_detail, occlusions.severity,
        objects.width as image_width,
        objects.height as image_height,
        occlusions.box_left, occlusions.box_top, occlusions.box_width, occlusions.box_height,
        objects.object_area, occlusions.covered_area,
        case
            when objects.has_objects
                then cast(occlusions.covered_area as double) / objects.object_area
        end as covered_share,
        objects.has_objects, objects.has_crowd, objects.is_about_object, false as is_withdrawn
    from occlusions
    inner join objects using (base_id)
),

-- the occlusions that every base with a landed picture has
occlusion_kinds as (
    select variant_id, vision_family as family, vision_scale as scale, severity
    from box_variants
    union all
    select
        'occlusion_target' as variant_id, 'occlusion_target' as family, 'coco_mask' as scale,
        1 as severity
    union all
    select
        'occlusion_control' as variant_id, 'occlusion_control' as family, 'coco_mask' as scale,
        1 as severity
    union all
    select
        'inpaint_remove' as variant_id, 'inpaint_remove' as family, 'coco_mask' as scale,
        1 as severity
),

-- a withdrawn picture is not looked at, so nothing is known about its objects
withdrawn_occlusions as (
    select
        withdrawn_bases.base_id || '::' || occlusion_kinds.variant_id as candidate_id,
        withdrawn_bases.base_id, withdrawn_bases.source_image_id,
        cast(null as string) as judged_picture_id, withdrawn_bases.question,
        cast(null as string) as categories, cast(null as string) as asked_category,
        occlusion_kinds.family, occlusion_kinds.scale, cast(null as string) as rle,
        cast(null as string) as object_rle, cast(null as string) as mask_error,
        cast(null as string) as recipe_error,
        withdrawn_bases.drop_detail as withdrawal_detail,
        occlusion_kinds.severity, cast(null as int) as image_width,
        cast(null as int) as image_height, cast(null as bigint) as box_left,
        cast(null as bigint) as box_top, cast(null as bigint) as box_width,
        cast(null as bigint) as box_height, cast(null as bigint) as object_area,
        cast(null as bigint) as covered_area, cast(null as double) as covered_share,
        cast(null as boolean) as has_objects, cast(null as boolean) as has_crowd,
        cast(null as boolean) as is_about_object, true as is_withdrawn
    from withdrawn_bases
    inner join files using (source_image_id)
    cross join occlusion_kinds
)

select * from covered_objects
union all
select * from withdrawn_occlusions
