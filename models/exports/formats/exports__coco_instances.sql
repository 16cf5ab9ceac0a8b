{{ config(materialized=kept_as('coco-instances')) }}

-- the objects in the pictures: depends_on: {{ ref('exports__edited_instances') }}
with
records as (
    select * from {{ ref('exports__records') }}
    where picture_state = 'available' and recipe_id is not null
)

select
    benchmark, example_id, split, vision_family, severity, shown_image_id, license_name,
    license_url, flickr_url, image, image_path, image_archive
from records
