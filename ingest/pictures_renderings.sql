-- what was rendered of some photographs; `renderings` are the relations that hold it, since a
-- warehouse may have those of one benchmark alone
select distinct renderings.rendered_file, renderings.sha256
from
    query_table(
        coalesce(getvariable('renderings'), ['images.images__renderings']), true
    ) as renderings
inner join images.images__files as files on renderings.image_sha256 = files.sha256
where
    renderings.rendered_file is not null
    and (
        getvariable('image_ids') is null
        or files.source_image_id in (select unnest(getvariable('image_ids')))
    )
