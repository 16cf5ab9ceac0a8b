{%- set slack = rc_threshold('own_box_slack') -%}
{%- set drawn -%} gs_union_mask({{ list_value('segmentation') }}, height, width) {%- endset -%}
with
annotations as (select * from {{ ref('stg_own__annotations') }}),

images as (
    select * from {{ ref('images__own_matches') }}
    where problem is null or problem <> 'repeated_image_id'
),

categories as (
    select
        source_file, category_key,
        {{ min_by('lower(trim(category))', 'file_position') }} as category,
        {{ min_by("coalesce(lower(trim(supercategory)), '')", 'file_position') }} as supercategory
    from {{ ref('stg_own__categories') }}
    group by source_file, category_key
),

-- COCO's names of groups, for files that name none
supercategories as (
    select distinct category, supercategory from {{ ref('openimages_categories') }}
),

named_annotations as (
    select
        annotations.source_file, annotations.file_position, images.source_image_id,
        files.source_image_id is not null as has_usable_picture,
        categories.category as label,
        coalesce(nullif(categories.supercategory, ''), supercategories.supercategory)
            as supercategory,
        nullif(trim(annotations.caption), '') as caption,
        images.image_key is not null as is_image_listed,
        images.problem as image_problem,
        files.width, files.height,
        coalesce(
            images.width <> files.width or images.height <> files.height, false
        ) as is_of_other_size,
        annotations.bbox,
        {{ list_extract('annotations.bbox', 1) }} as box_left,
        {{ list_extract('annotations.bbox', 2) }} as box_top,
        {{ list_extract('annotations.bbox', 1) }} + {{ list_extract('annotations.bbox', 3) }}
            as box_right,
        {{ list_extract('annotations.bbox', 2) }} + {{ list_extract('annotations.bbox', 4) }}
            as box_bottom,
        annotations.segmentation_polygons, annotations.segmentation_rle_counts,
        annotations.segmentation_rle_string, annotations.segmentation_rle_size,
        {{ segmentation_of('annotations') }} as segmentation,
        annotations.area,
        coalesce(annotations.score, 1) as confidence,
        coalesce(
            {{ list_extract('annotations.segmentation_rle_size', 1) }} = files.height
            and {{ list_extract('annotations.segmentation_rle_size', 2) }} = files.width,
            false
        ) as is_mask_of_size,
        row_number() over (
            partition by
                annotations.source_file, annotations.image_key, annotations.category_key,
                annotations.bbox
            order by annotations.file_position
        ) as mention,
        annotations.is_crowd
    from annotations
    left join images using (source_file, image_key)
    left join {{ ref('images__files') }} as files on images.source_image_id = files.source_image_id
    left join categories using (source_file, category_key)
    left join supercategories on categories.category = supercategories.category
),

-- the first problem of an annotation; a caption has no box
judged_annotations as (
    select
        *,
        case
            when not is_image_listed then 'unknown_image'
            when image_problem is not null then image_problem
            when not has_usable_picture then 'unusable_picture'
            when caption is not null then null
            when coalesce(label, '') = '' then 'unknown_category'
            when bbox is null or {{ list_length('bbox') }} <> 4 then 'no_box'
            when is_of_other_size then 'other_size'
            when not coalesce(box_right > box_left and box_bottom > box_top, false) then 'empty_box'
            -- some programs write boxes as shares of the picture
            when box_right - box_left < 1 or box_bottom - box_top < 1 then 'tiny_box'
            when
                not (
                    box_left >= -{{ slack }}
                    and box_top >= -{{ slack }}
                    and box_right <= width + {{ slack }}
                    and box_bottom <= height + {{ slack }}
                    and box_left < width
                    and box_top < height
                    and box_right > 0
                    and box_bottom > 0
                )
                then 'box_outside'
            when not confidence between 0 and 1 then 'no_confidence'
            -- a thing that is annotated twice is one thing
            when mention > 1 then 'repeated_box'
        end as problem
    from named_annotations
)

select
    source_file || ':' || cast(file_position as string) as annotation_id,
    source_image_id, label, supercategory, caption, problem,
    case
        when problem is null and caption is null
            then
                {{ list_value(
                    'greatest(box_left, 0)',
                    'greatest(box_top, 0)',
                    'least(box_right, width) - greatest(box_left, 0)',
                    'least(box_bottom, height) - greatest(box_top, 0)'
                ) }}
    end as bbox,
    -- some programs write an outline of no points, which does not count
    case
        when {{ list_length('segmentation_polygons') }} > 0 then segmentation_polygons
    end as segmentation_polygons,
    case when is_mask_of_size then segmentation_rle_counts end as segmentation_rle_counts,
    case when is_mask_of_size then segmentation_rle_string end as segmentation_rle_string,
    case when is_mask_of_size then segmentation_rle_size end as segmentation_rle_size,
    source_file, file_position,
    -- many programs that draw outlines leave out how large they are
    case
        when area > 0 then area
        when
            problem is null
            and (
                {{ list_length('segmentation_polygons') }} > 0
                or segmentation_rle_size is not null
            )
            then ({{ drawn }}).area
    end as area,
    confidence, is_crowd
from judged_annotations
