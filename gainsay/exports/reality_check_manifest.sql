-- data/raw/manifest.jsonl: the retained images
with
-- names of photographs and edited pictures, and where they lie in the delivery that is written
delivered_pictures as (
    select picture.name, picture.local_path
    from (
        select
            unnest(
                cast(
                    getvariable('delivered_pictures')
                    as struct(name varchar, local_path varchar)[]
                )
            ) as picture
    ) as listed_pictures
)

select
    to_json(struct_pack(
        image_id := images.image_id,
        source := images.source,
        local_path := delivered_pictures.local_path,
        url := collected_images.url,
        license := images.license,
        metadata := cast(images.metadata as json)
    )) as line
from reality_check.reality_check__images as images
left join images.images__collected_images as collected_images using (image_id)
left join delivered_pictures on images.image_id = delivered_pictures.name
order by images.image_id
