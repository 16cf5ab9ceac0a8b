{%- set to_edge = rc_threshold('least_share_to_edge') -%}
with
images as (select * from {{ ref('reality_check__images') }}),

instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

zooms as (
    select
        cast(zoom as bigint) as zoom, difficulty,
        row_number() over (order by cast(zoom as bigint)) as position
    from
        {{ vocabulary('reality_check', 'zooms', word='zoom', value='difficulty') }} as listed_zooms
),

drawn_images as (
    select
        *,
        {{ seeded_int(
            'rc_zoom', 'image_id', '(select count(*) from zooms)', seed_var='reality_check_seed'
        ) }} + 1 as zoom_position
    from images
),

zoomed_images as (
    select
        images.image_id,
        images.width as picture_width,
        images.height as picture_height,
        images.has_object_annotations, main_objects.object_id, main_objects.label,
        main_objects.truth_source, main_objects.doubt, main_objects.bbox,
        main_objects.area_fraction,
        coalesce(main_objects.mask_fraction, main_objects.area_fraction) as share_covered,
        zooms.zoom, zooms.difficulty
    from drawn_images as images
    inner join zooms on images.zoom_position = zooms.position
    left join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
),

crop_sizes as (
    select
        *,
        area_fraction between {{ rc_threshold('scale_least_area') }}
        and {{ rc_threshold('scale_most_area') }} as is_of_size,
        cast(round(picture_width / cast(zoom as double)) as bigint) as crop_width,
        cast(round(picture_height / cast(zoom as double)) as bigint) as crop_height,
        {{ list_extract('bbox', 1) }} + {{ list_extract('bbox', 3) }} / 2 as center_x,
        {{ list_extract('bbox', 2) }} + {{ list_extract('bbox', 4) }} / 2 as center_y
    from zoomed_images
),

-- centred on the box, and shifted into the picture
crops as (
    select
        *,
        case when {{ list_extract('bbox', 1) }} < {{ to_edge }} * picture_width then 1 else 0 end
        + case when {{ list_extract('bbox', 2) }} < {{ to_edge }} * picture_height then 1 else 0 end
        + case
            when
                {{ list_extract('bbox', 1) }} + {{ list_extract('bbox', 3) }}
                > (1 - {{ to_edge }}) * picture_width
                then 1
            else 0
        end
        + case
            when
                {{ list_extract('bbox', 2) }} + {{ list_extract('bbox', 4) }}
                > (1 - {{ to_edge }}) * picture_height
                then 1
            else 0
        end as n_cut_sides,
        case
            when object_id is not null
                then
                    least(
                        greatest(cast(floor(center_x - crop_width / 2.0) as bigint), 0),
                        picture_width - crop_width
                    )
        end as crop_left,
        case
            when object_id is not null
                then
                    least(
                        greatest(cast(floor(center_y - crop_height / 2.0) as bigint), 0),
                        picture_height - crop_height
                    )
        end as crop_top
    from crop_sizes
),

-- a ring of an object may have nothing of it in its middle, so the mask decides where there is one
masked_crops as (
    select
        crops.*,
        {{ union_rle(
            list_value(segmentation_of('instances')), 'crops.picture_height', 'crops.picture_width'
        ) }} as rle
    from crops
    inner join instances
        on
            crops.image_id = instances.source_image_id
            and crops.object_id = instances.object_id
    where
        crops.is_of_size
        and least(crops.crop_width, crops.crop_height) >= {{ rc_threshold('least_crop_side') }}
),

mask_overlaps as (
    select
        image_id,
        gs_covered_area(
            rle, picture_height, picture_width, crop_left, crop_top, crop_width, crop_height
        ) / cast(crop_width * crop_height as double) as share_on_mask
    from masked_crops
)

select
    crops.image_id, crops.object_id, crops.label, crops.truth_source, crops.doubt,
    crops.difficulty, crops.area_fraction, crops.zoom, crops.n_cut_sides, crops.crop_left,
    crops.crop_top, crops.crop_width, crops.crop_height, crops.has_object_annotations,
    crops.is_of_size,
    coalesce(
        mask_overlaps.share_on_mask,
        {{ box_intersection(
            list_value(
                'crops.crop_left', 'crops.crop_top', 'crops.crop_width', 'crops.crop_height'
            ),
            'crops.bbox'
        ) }}
        / cast(crops.crop_width * crops.crop_height as double)
    ) as share_on_object,
    share_on_object * crops.crop_width * crops.crop_height
    / (crops.share_covered * crops.picture_width * crops.picture_height) as share_of_object
from crops
left join mask_overlaps on crops.image_id = mask_overlaps.image_id
