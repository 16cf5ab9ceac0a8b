-- the photographs that are delivered, under names that any system takes
select
    images.image_id as name,
    files.path,
    files.archive,
    files.sha256,
    'data/raw/images/' || images.source || '/' || case
        when regexp_full_match(images.image_id, '[a-z]+[_-][0-9a-f]+') then images.image_id
        else images.source || '_' || substr(md5(images.image_id), 1, 12)
    end || case files.format
        when 'PNG' then '.png'
        when 'WEBP' then '.webp'
        when 'GIF' then '.gif'
        when 'BMP' then '.bmp'
        when 'TIFF' then '.tif'
        else '.jpg'
    end as local_path
from reality_check.reality_check__images as images
inner join images.images__files as files on images.image_id = files.source_image_id
inner join reality_check.reality_check__licensed_images as licensed_images
    on images.image_id = licensed_images.image_id
where licensed_images.is_delivered
order by local_path
