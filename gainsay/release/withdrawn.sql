-- pictures that examples show although they were taken down
with
withdrawn_images as (select source_image_id from raw.withdrawn_images)

select distinct shown_pictures.source_image_id
from exports.exports__release_shown_pictures as shown_pictures
inner join withdrawn_images using (source_image_id)
where shown_pictures.benchmark = coalesce(getvariable('benchmark'), shown_pictures.benchmark)
order by shown_pictures.source_image_id
