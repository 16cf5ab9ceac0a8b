with
listed_images as (
    select * from {{ ref('images__collected_images') }}
    where source in ({{ text_literals(var('reality_check_image_sources')) }})
),

unlisted_images as (
    select candidate_id as image_id
    from {{ ref('reality_check__listing_findings') }}
    where not is_possible
),

-- how many images of a source are chosen; none is given for pictures that are landed as they are
targets as (
    select
        source, source_position, has_quota,
        ceil(
            cast(target as double) / sum(target) over ()
            * {{ var('reality_check_target_images') }}
        ) as target
    from {{ ref('reality_check_image_sources') }}
)

select
    listed_images.image_id, listed_images.source, listed_images.url, listed_images.local_path,
    listed_images.license, listed_images.metadata, wikimedia_images.thumbnail_url,
    openimages_images.openimages_id, openimages_images.subset, openimages_images.original_md5,
    wikimedia_images.n_bytes, openimages_images.original_n_bytes, targets.source_position,
    choice_places.place
from listed_images
inner join targets using (source)
left join unlisted_images using (image_id)
left join {{ ref('reality_check__choice_places') }} as choice_places using (image_id)
left join {{ ref('images__wikimedia_images') }} as wikimedia_images using (image_id)
left join {{ ref('images__openimages_images') }} as openimages_images using (image_id)
where
    unlisted_images.image_id is null
    and (not targets.has_quota or choice_places.place <= targets.target)
