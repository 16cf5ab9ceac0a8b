-- a view, because only those of landed pictures are read
{{ config(materialized='view') }}
with
wikimedia_images as (
    select
        image_id, title,
        {{ unnest_list(regexp_split("coalesce(categories, '')", '[|]')) }} as category
    from {{ ref('images__wikimedia_images') }}
),

openimages_images as (
    select image_id, openimages_id from {{ ref('images__openimages_images') }}
),

yfcc_images as (
    select image_id, {{ unnest_list(regexp_split("coalesce(user_tags, '')", ',')) }} as tag
    from {{ ref('images__yfcc_images') }}
),

scored_concepts as (
    select
        image_id,
        {{ unnest_list(regexp_split("coalesce(autotags, '')", ',')) }} as scored_concept
    from {{ ref('images__yfcc_images') }}
),

streetview_images as (
    select image_id from {{ ref('images__streetview_images') }}
),

-- one label may be given by several programs and people
texts as (
    select image_id, category as text
    from wikimedia_images
    union distinct
    select image_id, {{ regexp_replace('title', '^File:|[.][a-zA-Z]+$', '') }} as text
    from wikimedia_images
    union distinct
    select openimages_images.image_id, openimages_classes.display_name as text
    from openimages_images
    inner join {{ ref('stg_openimages__labels') }} as openimages_labels
        on
            openimages_images.openimages_id = openimages_labels.openimages_id
            and openimages_labels.confidence = 1
    inner join {{ ref('stg_openimages__classes') }} as openimages_classes using (label_name)
    union distinct
    select image_id, 'street view' as text
    from streetview_images
    union distinct
    select image_id, tag as text
    from yfcc_images
    union distinct
    select image_id, {{ regexp_replace('scored_concept', ':[0-9.]+$', '') }} as text
    from scored_concepts
    where
        try_cast({{ regexp_replace('scored_concept', '^.*:', '') }} as double)
        >= {{ rc_threshold('outdoor_confidence') }}
)

select image_id as source_image_id, image_id || ':' || text as text_id, text
from texts
where text <> ''
