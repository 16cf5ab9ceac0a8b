-- one picture of each stage that stopped some, drawn by hash
select
    screened.screening,
    screened.drop_stage as stage,
    screened.source_image_id,
    files.path,
    files.archive
from reality_check.reality_check__screened as screened
inner join images.images__files as files
    on screened.source_image_id = files.source_image_id
where
    not screened.is_retained
    and files.source_image_id not in (
        select withdrawn_images.source_image_id from raw.withdrawn_images
    )
qualify
    row_number() over (
        partition by screened.screening, screened.drop_stage order by md5(screened.candidate_id)
    ) = 1
