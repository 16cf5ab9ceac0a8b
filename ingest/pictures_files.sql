-- the bytes of some photographs, by their hash
select distinct sha256
from images.images__files
where
    sha256 is not null
    and (
        getvariable('image_ids') is null
        or source_image_id in (select unnest(getvariable('image_ids')))
    )
