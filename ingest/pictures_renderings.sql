-- what was rendered of some photographs
select distinct renderings.rendered_file, renderings.sha256
from images.images__renderings as renderings
inner join images.images__files as files on renderings.image_sha256 = files.sha256
where
    renderings.rendered_file is not null
    and (
        getvariable('image_ids') is null
        or files.source_image_id in (select unnest(getvariable('image_ids')))
    )
