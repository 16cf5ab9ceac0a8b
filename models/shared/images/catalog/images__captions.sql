with
captions as (
    select * from {{ ref('stg_coco__captions') }}
    where occurrence = 1
)

-- COCO's files list an image's captions by ascending id, so the id stands for file order
select
    captions.caption_id, captions.source_image_id, captions.caption,
    {{ tokens('captions.caption') }} as tokens,
    row_number() over (
        partition by captions.source_image_id
        order by captions.split_order, captions.caption_id
    ) as caption_position
from captions
inner join {{ ref('images__source_images') }} using (source_image_id)
