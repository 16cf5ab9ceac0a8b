-- where the bytes of each picture lie that is given along, and the hash of a landed photograph
with
pictures as (
    select image, min(image_path) as image_path, min(image_archive) as image_archive
    from exports.exports__release_pictures
    where benchmark = coalesce(getvariable('benchmark'), benchmark) and image is not null
    group by image
)

select pictures.image, pictures.image_path, pictures.image_archive, files.sha256
from pictures
left join images.images__files as files on pictures.image_path = files.path
