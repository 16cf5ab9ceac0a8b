with

captions as (

    select * from {{ ref('stg_coco__captions') }}
    where occurrence = 1

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- COCO's files list an image's captions by ascending id, so the id stands for file order
final as (

    select
        captions.caption_id,
        captions.source_image_id,
        captions.caption,
        {{ tokens('captions.caption') }} as tokens,
        row_number() over (
            partition by captions.source_image_id
            order by captions.split_order, captions.caption_id
        ) as caption_position
    from captions
    inner join images
        on captions.source_image_id = images.source_image_id

)

select * from final
