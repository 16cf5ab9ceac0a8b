-- how many pictures of each source an annotator could not look at
with
findings as (
    select 'shadow' as annotator, image_sha256, error from reality_check.reality_check__shadows
    union all
    select 'shadow region', image_sha256, error from reality_check.reality_check__shadow_regions
    union all
    select 'texture', image_sha256, error from reality_check.reality_check__textures
    union all
    select 'mirror', image_sha256, error from reality_check.reality_check__mirrors
    union all
    select 'ocr', image_sha256, error from reality_check.reality_check__texts
    union all
    select 'objects', image_sha256, error from reality_check.reality_check__detections
    union all
    select 'depth', image_sha256, error from reality_check.reality_check__depths
)

select findings.annotator, images.source, count(*) as n
from findings
inner join images.images__files as files on findings.image_sha256 = files.sha256
inner join reality_check.reality_check__images as images
    on files.source_image_id = images.image_id
where findings.error is not null
group by findings.annotator, images.source
