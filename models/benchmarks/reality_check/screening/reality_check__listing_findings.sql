with
wikimedia_images as (select * from {{ ref('images__wikimedia_images') }}),
openimages_images as (select * from {{ ref('images__openimages_images') }}),
streetview_images as (select * from {{ ref('images__streetview_images') }}),
yfcc_images as (select * from {{ ref('images__yfcc_images') }}),

listed_images as (
    select image_id, 'wikimedia' as source from wikimedia_images
    union all
    select image_id, 'openimages' as source from openimages_images
    union all
    select image_id, 'streetview' as source from streetview_images
    union all
    select image_id, 'yfcc' as source from yfcc_images
),

-- a source is judged by its own filters alone; a value that is missing fails
findings as (
    select
        listed_images.image_id as candidate_id,
        -- Wikimedia and YFCC100M: the licence is one that the source may give
        listed_images.source not in ('wikimedia', 'yfcc')
        or source_licenses.source is not null as passes_licence,
        coalesce(
            wikimedia_images.delivered_license, yfcc_images.delivered_license, 'no licence'
        ) as licence_detail,
        -- Wikimedia: neither side is shorter than the least
        listed_images.source <> 'wikimedia'
        or coalesce(
            least(wikimedia_images.width, wikimedia_images.height)
            >= {{ rc_threshold('wikimedia_least_side') }}
            and wikimedia_images.width is not null
            and wikimedia_images.height is not null,
            false
        ) as passes_size,
        coalesce(cast(wikimedia_images.width as string), '?') || ' x '
        || coalesce(cast(wikimedia_images.height as string), '?') as size_detail,
        -- a JPEG, a photograph that stands upright, no video; Open Images' angle is empty for
        -- pictures that were not turned
        case listed_images.source
            when 'wikimedia' then coalesce(wikimedia_images.mime = 'image/jpeg', false)
            when 'openimages' then coalesce(openimages_images.rotation = 0, true)
            when 'yfcc' then coalesce(yfcc_images.marker = 0, false)
            else true
        end as passes_media,
        case listed_images.source
            when 'wikimedia' then coalesce(wikimedia_images.mime, 'no media type')
            when 'openimages'
                then
                    'turned by '
                    || cast(cast(openimages_images.rotation as bigint) as string)
            else 'a video'
        end as media_detail,
        -- Street View: the panorama is of this point; YFCC100M: the coordinates are on earth
        case listed_images.source
            when 'streetview' then coalesce(streetview_images.is_own_panorama, true)
            when 'yfcc'
                then
                    coalesce(
                        yfcc_images.lat between -90 and 90 and yfcc_images.lon between -180 and 180,
                        false
                    )
            else true
        end as passes_place,
        'panorama ' || streetview_images.pano_id || ' is that of an earlier point' as place_detail,
        -- YFCC100M: taken outdoors, by its automatic tags
        listed_images.source <> 'yfcc'
        or coalesce(
            yfcc_images.outdoor_confidence >= {{ rc_threshold('outdoor_confidence') }}
            and yfcc_images.outdoor_confidence > coalesce(yfcc_images.indoor_confidence, 0),
            false
        ) as passes_setting,
        coalesce(
            'outdoor ' || cast(yfcc_images.outdoor_confidence as string),
            'no autotags'
        ) as setting_detail,
        -- YFCC100M: taken before the first year that is too late
        listed_images.source <> 'yfcc'
        or coalesce(
            cast(substr(yfcc_images.timestamp, 1, 4) as integer)
            < {{ rc_threshold('yfcc_before_year') }},
            false
        ) as passes_date,
        coalesce(yfcc_images.date_taken, 'no date') as date_detail,
        -- Open Images: some box is of no depiction
        listed_images.source <> 'openimages'
        or openimages_classes.openimages_id is not null as passes_objects,
        -- Open Images: a class of its boxes has enough images
        openimages_classes.openimages_id is null
        or openimages_classes.rarest_class is not null as passes_class,
        openimages_classes.largest_class || ': '
        || cast(openimages_classes.largest_class_size as string)
        || ' images' as class_detail
    from listed_images
    left join wikimedia_images using (image_id)
    left join openimages_images using (image_id)
    left join {{ ref('reality_check__openimages_classes') }} as openimages_classes
        on openimages_images.openimages_id = openimages_classes.openimages_id
    left join streetview_images using (image_id)
    left join yfcc_images using (image_id)
    left join {{ vocabulary(
        'reality_check', 'source_licenses', word='source', value='license_family'
    ) }}
        as source_licenses
        on
            listed_images.source = source_licenses.source
            and coalesce(wikimedia_images.license_family, yfcc_images.license_family)
            = source_licenses.license_family
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_images', 'reality_check__listing_findings'
    ) }} as is_possible
from findings
