with

screened_images as (

    select * from {{ ref('reality_check__images_screened') }}
    where is_retained

),

listed_images as (

    select * from {{ ref('images__collected') }}

),

files as (

    select * from {{ ref('images__files') }}

),

final as (

    select
        screened_images.image_id,
        screened_images.source,
        files.file_name as image_file,
        listed_images.license,
        listed_images.timestamp,
        listed_images.metadata,
        files.width,
        files.height,
        listed_images.lat,
        listed_images.lon
    from screened_images
    inner join listed_images
        on screened_images.image_id = listed_images.image_id
    inner join files
        on screened_images.image_id = files.source_image_id

)

select * from final
