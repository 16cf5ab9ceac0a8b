with
named_categories as (
    select * from {{ ref('lexicon__question_objects') }}
    where is_certain
),

question_categories as (
    select
        question,
        {{ array_join(array_agg('category', order_by='category'), "', '") }} as categories
    from named_categories
    group by question
),

object_words as (
    select * from {{ ref('object_words') }}
    where is_certain
),

-- bases that ask for an object itself, not for something of it such as a bus's wheels
bases_about_objects as (
    select evidence.base_id, min(object_words.category) as asked_category
    from {{ ref('conflict_suite__evidence') }} as evidence
    inner join object_words on evidence.asked_noun = object_words.phrase
    group by evidence.base_id
),

question_objects as (
    select
        bases.base_id, bases.source_image_id, bases.question, question_categories.categories,
        bases_about_objects.asked_category, files.width, files.height,
        bases_about_objects.base_id is not null as is_about_object
    from {{ ref('conflict_suite__bases') }} as bases
    inner join {{ ref('images__files') }} as files using (source_image_id)
    left join question_categories using (question)
    left join bases_about_objects using (base_id)
),

-- several questions may ask for the same objects of an image: their mask is made once
wanted_masks as (
    select distinct source_image_id, categories, width, height
    from question_objects
    where categories is not null
),

instance_masks as (
    select
        wanted_masks.source_image_id, wanted_masks.categories, wanted_masks.width,
        wanted_masks.height,
        bool_or(instances.is_crowd) as has_crowd,
        {{ array_agg(
            struct_pack(
                polygons='instances.segmentation_polygons',
                counts='instances.segmentation_rle_counts',
                string='instances.segmentation_rle_string',
                size='instances.segmentation_rle_size'
            ),
            order_by='instances.instance_id'
        ) }} as segmentations
    from wanted_masks
    inner join {{ ref('images__instances') }} as instances
        on
            wanted_masks.source_image_id = instances.source_image_id
            and contains(
                ', ' || wanted_masks.categories || ', ', ', ' || instances.category || ', '
            )
    group by
        wanted_masks.source_image_id,
        wanted_masks.categories, wanted_masks.width, wanted_masks.height
),

united_masks as (
    select
        *,
        gs_union_mask(segmentations, height, width) as object_mask,
        cast({{ threshold('conflict_suite', 'mask_dilation') }} as integer) as dilation,
        cast({{ threshold('conflict_suite', 'hole_least_ratio') }} as double) as least_ratio
    from instance_masks
),

-- the outline of a thing names it, so a hole is an ellipse around all of them
hidden_masks as (
    select
        *,
        gs_hole_mask(object_mask.rle, height, width, dilation, least_ratio) as target_mask
    from united_masks
)

select
    question_objects.base_id, question_objects.source_image_id, question_objects.question,
    question_objects.categories, question_objects.asked_category,
    hidden_masks.object_mask.rle as object_rle,
    hidden_masks.target_mask.rle as target_rle,
    hidden_masks.object_mask.error as mask_error,
    question_objects.width, question_objects.height,
    hidden_masks.object_mask.area as object_area,
    hidden_masks.target_mask.area as target_area,
    coalesce(hidden_masks.object_mask.area, 0) > 0 as has_objects,
    hidden_masks.has_crowd, question_objects.is_about_object
from question_objects
left join hidden_masks using (source_image_id, categories)
