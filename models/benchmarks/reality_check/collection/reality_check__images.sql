with

listed_images as (

    select * from {{ ref('images__source_images') }}

),

files as (

    select * from {{ ref('images__files') }}

),

final as (

    select
        listed_images.source_image_id as image_id,
        'coco' as source,
        files.file_name as image_file,
        cast(null as {{ dbt.type_string() }}) as license,
        cast(null as {{ dbt.type_string() }}) as timestamp,
        {{ json_object(
            timestamp='null', lat='null', lon='null', camera_model='null',
            coco_url='listed_images.coco_url', flickr_url='listed_images.flickr_url'
        ) }} as metadata,
        files.width,
        files.height,
        cast(null as double) as lat,
        cast(null as double) as lon
    from listed_images
    inner join files
        on listed_images.source_image_id = files.source_image_id

)

select * from final
