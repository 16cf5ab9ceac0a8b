with
screened_images as (
    select * from {{ ref('reality_check__images_screened') }}
    where is_retained
),

own_files_with_objects as (
    select distinct source_file from {{ ref('stg_own__categories') }}
),

-- pictures that a file of objects lists, whether it has any of them or none
annotated_images as (
    select coco_images.source_image_id
    from {{ ref('stg_coco__images') }} as coco_images
    inner join {{ ref('stg_gainsay__landed_files') }} as landed_files using (source_file)
    where landed_files.kind = 'coco_instances'
    union distinct
    select matches.source_image_id
    from {{ ref('images__own_matches') }} as matches
    inner join own_files_with_objects using (source_file)
    where matches.source_image_id is not null
)

select
    screened_images.image_id, screened_images.source,
    files.file_name as image_file,
    listed_images.license, listed_images.timestamp, listed_images.metadata, statements.split_group,
    files.width, files.height, listed_images.lat, listed_images.lon,
    annotated_images.source_image_id is not null
    or screened_images.source = 'openimages'
    or {{ text_literal(var('detector')) }} <> '' as has_object_annotations
from screened_images
inner join {{ ref('images__collected_images') }} as listed_images using (image_id)
inner join {{ ref('images__files') }} as files on screened_images.image_id = files.source_image_id
left join {{ ref('images__own_statements') }} as statements
    on screened_images.image_id = statements.source_image_id
left join annotated_images on screened_images.image_id = annotated_images.source_image_id
