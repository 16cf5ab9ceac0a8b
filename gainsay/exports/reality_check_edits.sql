-- the pictures that were edited, of photographs that are delivered
select distinct
    renderings.rendered_file as name,
    renderings.sha256,
    'data/challenges/images/' || renderings.rendered_file as local_path
from reality_check.reality_check__challenges as challenges
inner join reality_check.reality_check__renderings as renderings
    on challenges.image_b_file = renderings.rendered_file
inner join images.images__files as files on challenges.image_a_id = files.source_image_id
inner join reality_check.reality_check__licensed_images as licensed_images
    on challenges.image_a_id = licensed_images.image_id
where licensed_images.is_delivered
order by local_path
