with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available' and recipe_id is not null
),

-- several records show the same picture
pictures as (
    select image, image_path, shown_image_id, min(example_id) as example_id
    from records
    group by image, image_path, shown_image_id
)

select
    pictures.image, pictures.image_path, pictures.shown_image_id, pictures.example_id,
    instances.category, instances.supercategory, instances.bbox, instances.segmentation_polygons,
    instances.segmentation_rle_counts, instances.segmentation_rle_string,
    instances.segmentation_rle_size, instances.instance_id, instances.category_id, instances.area,
    instances.is_crowd
from pictures
inner join {{ ref('images__instances') }} as instances
    on pictures.shown_image_id = instances.source_image_id
