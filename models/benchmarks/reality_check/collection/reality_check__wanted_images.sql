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
),

topics as (select * from {{ ref('reality_check_wikimedia_queries') }}),

wikimedia_images as (
    select wikimedia_images.*
    from {{ ref('images__wikimedia_images') }} as wikimedia_images
    left join unlisted_images using (image_id)
    where unlisted_images.image_id is null
),

-- an image that several topics list counts for the first of them
wikimedia_topics as (
    select wikimedia_images.image_id, min(topics.topic_position) as topic_position
    from wikimedia_images
    inner join topics on array_contains(wikimedia_images.topics, topics.topic)
    group by wikimedia_images.image_id
),

-- a topic gives its share of the source's images
wikimedia_places as (
    select
        wikimedia_topics.image_id, 'wikimedia' as source,
        row_number() over (
            partition by wikimedia_topics.topic_position
            order by
                {{ seeded_order(
                    'rc_wikimedia', 'wikimedia_topics.image_id', 'reality_check_seed'
                ) }},
                wikimedia_topics.image_id
        ) / topics.share as place
    from wikimedia_topics
    inner join topics using (topic_position)
),

openimages_images as (
    select
        openimages_images.image_id, openimages_classes.rarest_class,
        row_number() over (
            partition by openimages_classes.rarest_class
            order by
                {{ seeded_order(
                    'rc_openimages', 'openimages_images.image_id', 'reality_check_seed'
                ) }},
                openimages_images.image_id
        ) as place_in_class
    from {{ ref('images__openimages_images') }} as openimages_images
    inner join {{ ref('reality_check__openimages_classes') }} as openimages_classes
        using (openimages_id)
    left join unlisted_images using (image_id)
    where unlisted_images.image_id is null
),

-- the first of every class, then the second of every class, ...
openimages_places as (
    select
        image_id, 'openimages' as source,
        cast(row_number() over (
            order by place_in_class, rarest_class
        ) as double) as place
    from openimages_images
),

streetview_places as (
    select
        streetview_images.image_id, 'streetview' as source,
        cast(row_number() over (
            order by
                cities.city_position,
                streetview_images.city, streetview_images.point, streetview_images.heading
        ) as double) as place
    from {{ ref('images__streetview_images') }} as streetview_images
    left join {{ ref('streetview_cities') }} as cities using (city)
    left join unlisted_images using (image_id)
    where unlisted_images.image_id is null
),

-- pictures of one place and day, so that sequences in time survive the choice
yfcc_images as (
    select
        yfcc_images.image_id, yfcc_images.timestamp,
        cast(cast(
            floor(yfcc_images.lat / {{ rc_threshold('day_cell_degrees') }}) as bigint
        ) as string)
        || ',' || cast(cast(
            floor(yfcc_images.lon / {{ rc_threshold('day_cell_degrees') }}) as bigint
        ) as string)
        || ':' || substr(yfcc_images.timestamp, 1, 10) as group_key
    from {{ ref('images__yfcc_images') }} as yfcc_images
    left join unlisted_images using (image_id)
    where unlisted_images.image_id is null
),

yfcc_groups as (
    select
        *,
        row_number() over (
            partition by group_key
            order by timestamp, image_id
        ) as place_in_group
    from yfcc_images
),

yfcc_places as (
    select
        image_id, 'yfcc' as source,
        cast(row_number() over (
            order by
                {{ seeded_order('rc_yfcc', 'group_key', 'reality_check_seed') }},
                group_key,
                place_in_group
        ) as double) as place
    from yfcc_groups
    where place_in_group <= {{ rc_threshold('yfcc_group_size') }}
),

choice_places as (
    select * from wikimedia_places
    union all
    select * from openimages_places
    union all
    select * from streetview_places
    union all
    select * from yfcc_places
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
left join choice_places using (image_id)
left join {{ ref('images__wikimedia_images') }} as wikimedia_images using (image_id)
left join {{ ref('images__openimages_images') }} as openimages_images using (image_id)
where
    unlisted_images.image_id is null
    and (not targets.has_quota or choice_places.place <= targets.target)
