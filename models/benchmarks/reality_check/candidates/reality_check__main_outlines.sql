with
instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

-- the mask of an object, or the largest outline that edges draw in a picture without masks
outlines as (
    select
        images.image_id, images.width, images.height,
        coalesce(
            {{ union_rle(
                list_value(segmentation_of('instances')), 'images.height', 'images.width'
            ) }},
            drawn_outlines.rle
        ) as rle
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
    left join instances on main_objects.object_id = instances.object_id
    left join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join {{ ref('reality_check__outlines') }} as drawn_outlines
        on files.sha256 = drawn_outlines.image_sha256
)

select image_id, gs_open_share(rle, height, width) as open_share
from outlines
where rle is not null
