-- the landed pictures that annotators look at, by their content
select distinct files.sha256, images.source
from images.images__files as files
inner join reality_check.reality_check__images as images
    on files.source_image_id = images.image_id
where files.sha256 is not null
