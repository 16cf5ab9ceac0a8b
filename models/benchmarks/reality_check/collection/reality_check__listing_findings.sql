with

wikimedia_images as (

    select * from {{ ref('images__wikimedia_images') }}

),

openimages_images as (

    select * from {{ ref('images__openimages_images') }}

),

openimages_classes as (

    select * from {{ ref('reality_check__openimages_classes') }}

),

streetview_images as (

    select * from {{ ref('images__streetview_images') }}

),

yfcc_images as (

    select * from {{ ref('images__yfcc_images') }}

),

source_licenses as (

    select * from {{ ref('reality_check_source_licenses') }}

),

wikimedia_licenses as (

    select
        wikimedia_images.image_id,
        'licence' as stage,
        coalesce(wikimedia_images.delivered_license, 'no licence') as drop_detail
    from wikimedia_images
    left join source_licenses
        on
            wikimedia_images.license_family = source_licenses.license_family
            and source_licenses.source = 'wikimedia'
    where source_licenses.source is null

),

wikimedia_sizes as (

    select
        image_id,
        'size' as stage,
        coalesce(cast(width as {{ dbt.type_string() }}), '?') || ' x '
        || coalesce(cast(height as {{ dbt.type_string() }}), '?') as drop_detail
    from wikimedia_images
    where (
        width >= {{ var('reality_check_wikimedia_least_side') }}
        and height >= {{ var('reality_check_wikimedia_least_side') }}
    ) is not true

),

wikimedia_media as (

    select
        image_id,
        'media' as stage,
        coalesce(mime, 'no media type') as drop_detail
    from wikimedia_images
    where (mime = 'image/jpeg') is not true

),

-- the angle is empty for pictures that nobody turned
openimages_media as (

    select
        image_id,
        'media' as stage,
        'turned by ' || cast(cast(rotation as bigint) as {{ dbt.type_string() }}) as drop_detail
    from openimages_images
    where rotation <> 0

),

openimages_objects as (

    select
        openimages_images.image_id,
        'objects' as stage,
        cast(null as {{ dbt.type_string() }}) as drop_detail
    from openimages_images
    left join openimages_classes
        on openimages_images.openimages_id = openimages_classes.openimages_id
    where openimages_classes.openimages_id is null

),

openimages_class_sizes as (

    select
        openimages_images.image_id,
        'class' as stage,
        openimages_classes.largest_class || ': '
        || cast(openimages_classes.largest_class_size as {{ dbt.type_string() }})
        || ' images' as drop_detail
    from openimages_images
    inner join openimages_classes
        on openimages_images.openimages_id = openimages_classes.openimages_id
    where openimages_classes.rarest_class is null

),

streetview_places as (

    select
        image_id,
        'place' as stage,
        'panorama ' || pano_id || ' is that of an earlier point' as drop_detail
    from streetview_images
    where not is_own_panorama

),

yfcc_licenses as (

    select
        yfcc_images.image_id,
        'licence' as stage,
        coalesce(yfcc_images.delivered_license, 'no licence') as drop_detail
    from yfcc_images
    left join source_licenses
        on
            yfcc_images.license_family = source_licenses.license_family
            and source_licenses.source = 'yfcc'
    where source_licenses.source is null

),

yfcc_media as (

    select
        image_id,
        'media' as stage,
        'a video' as drop_detail
    from yfcc_images
    where (marker = 0) is not true

),

yfcc_places as (

    select
        image_id,
        'place' as stage,
        cast(null as {{ dbt.type_string() }}) as drop_detail
    from yfcc_images
    where (lat between -90 and 90 and lon between -180 and 180) is not true

),

yfcc_settings as (

    select
        image_id,
        'setting' as stage,
        coalesce('outdoor ' || cast(outdoor_confidence as {{ dbt.type_string() }}), 'no autotags')
            as drop_detail
    from yfcc_images
    where (
        outdoor_confidence >= {{ var('reality_check_yfcc_outdoor_confidence') }}
        and outdoor_confidence > coalesce(indoor_confidence, 0)
    ) is not true

),

yfcc_dates as (

    select
        image_id,
        'date' as stage,
        coalesce(date_taken, 'no date') as drop_detail
    from yfcc_images
    where (
        cast(substr(timestamp, 1, 4) as integer) < {{ var('reality_check_yfcc_before_year') }}
    ) is not true

),

final as (

    select * from wikimedia_licenses
    union all
    select * from wikimedia_sizes
    union all
    select * from wikimedia_media
    union all
    select * from openimages_media
    union all
    select * from openimages_objects
    union all
    select * from openimages_class_sizes
    union all
    select * from streetview_places
    union all
    select * from yfcc_licenses
    union all
    select * from yfcc_media
    union all
    select * from yfcc_places
    union all
    select * from yfcc_settings
    union all
    select * from yfcc_dates

)

select * from final
