-- where some photographs lie, and others of the same bytes
select distinct others.path
from images.images__files as files
inner join images.images__files as others on files.sha256 = others.sha256
where
    getvariable('image_ids') is null
    or files.source_image_id in (select unnest(getvariable('image_ids')))
order by others.path
