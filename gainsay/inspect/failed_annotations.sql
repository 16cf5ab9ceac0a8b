-- how many pictures of each source an annotator could not look at
with
failures as (
    unpivot (
        select
            image_sha256,
            shadow_error as shadow,
            texture_error as texture,
            mirror_error as mirror,
            text_error as ocr,
            detection_error as objects,
            depth_error as depth
        from reality_check.reality_check__annotator_results
    )
    on shadow, texture, mirror, ocr, objects, depth
    into name annotator value error

    union all

    select image_sha256, 'shadow region' as annotator, error
    from reality_check.reality_check__shadow_regions
    where error is not null
)

select failures.annotator, images.source, count(*) as n
from failures
inner join images.images__files as files on failures.image_sha256 = files.sha256
inner join reality_check.reality_check__images as images
    on files.source_image_id = images.image_id
group by failures.annotator, images.source
