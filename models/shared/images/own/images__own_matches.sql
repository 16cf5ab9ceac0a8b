with
-- some programs write the separator of another system, which is character 92
listed_images as (
    select
        *,
        replace(file_name, chr(92), '/') as place,
        row_number() over (
            partition by source_file, image_key
            order by file_position
        ) as mention
    from {{ ref('stg_own__images') }}
),

images as (
    select *, {{ regexp_extract('place', '[^/]*$') }} as last_name from listed_images
),

-- the pictures that a file of annotations speaks of, by their places in its folders
placed_files as (
    select
        folders.source_file, files.source_image_id, files.file_name,
        substr(files.path, length(folders.folder) + 2) as place
    from {{ ref('stg_own__folders') }} as folders
    inner join {{ ref('stg_images__files') }} as files
        on
            substr(files.path, 1, length(folders.folder) + 1)
            in (folders.folder || '/', folders.folder || '!')
),

-- by its place in the folder, else by its name alone where one picture has it
namesakes as (
    select
        images.source_file, images.file_position,
        count(distinct placed_files.source_image_id) as n_namesakes,
        count(distinct case
            when images.place = placed_files.place then placed_files.source_image_id
        end) as n_in_place,
        max(case
            when images.place = placed_files.place then placed_files.source_image_id
        end) as image_in_place,
        max(placed_files.source_image_id) as namesake
    from images
    inner join placed_files
        on
            images.source_file = placed_files.source_file
            and images.last_name = placed_files.file_name
    group by images.source_file, images.file_position
)

select
    images.source_file, images.image_key, images.file_name, images.license_key, images.coco_url,
    images.flickr_url,
    case
        when images.mention > 1 or images.last_name = '' then null
        when namesakes.n_in_place = 1 then namesakes.image_in_place
        when namesakes.n_in_place = 0 and namesakes.n_namesakes = 1 then namesakes.namesake
    end as source_image_id,
    case
        when images.mention > 1 then 'repeated_image_id'
        when namesakes.file_position is null or images.last_name = '' then 'no_picture'
        when
            namesakes.n_in_place > 1
            or (namesakes.n_in_place = 0 and namesakes.n_namesakes > 1)
            then 'several_pictures'
    end as problem,
    images.file_position, images.width, images.height
from images
left join namesakes using (source_file, file_position)
