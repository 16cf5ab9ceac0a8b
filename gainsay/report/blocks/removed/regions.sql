-- what an occlusion would hide of its picture, and what its question asks about, as outlines
select
    'occlusions' as benchmark,
    screened.screening,
    screened.candidate_id,
    screened.rle,
    screened.object_rle,
    screened.box_left,
    screened.box_top,
    screened.box_width,
    screened.box_height,
    pictures.width,
    pictures.height
from occlusions.occlusions__screened as screened
inner join images.images__source_images as pictures
    on screened.source_image_id = pictures.source_image_id
order by screened.screening, screened.candidate_id
