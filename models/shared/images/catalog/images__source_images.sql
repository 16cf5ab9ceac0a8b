with

-- an image is named once in every file that speaks of it, by 2014 or by 2017 name
mentions as (

    select
        *,
        row_number() over (
            partition by source_image_id
            order by file_name, source_file, file_position
        ) as mention
    from {{ ref('stg_coco__images') }}

),

final as (

    select
        source_image_id,
        image_id,
        file_name,
        coco_url,
        flickr_url,
        license_id,
        width,
        height
    from mentions
    where mention = 1

)

select * from final
