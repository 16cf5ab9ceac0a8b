with

coco_images as (

    select * from {{ ref('images__source_images') }}

),

coco_licenses as (

    select
        license_id,
        {{ min_by('license_url', 'source_file') }} as license_url
    from {{ ref('stg_coco__licenses') }}
    group by license_id

),

license_codes as (

    select * from {{ ref('license_codes') }}

),

listed_coco_images as (

    select
        coco_images.source_image_id as image_id,
        'coco' as source,
        coco_images.coco_url as url,
        license_codes.license,
        coco_licenses.license_url,
        coco_images.flickr_url as page_url,
        cast(null as {{ dbt.type_string() }}) as timestamp,
        {{ json_object(
            timestamp='null', lat='null', lon='null', camera_model='null',
            file_name='coco_images.file_name', flickr_url='coco_images.flickr_url'
        ) }} as metadata,
        coco_images.width,
        coco_images.height,
        cast(null as double) as lat,
        cast(null as double) as lon
    from coco_images
    left join coco_licenses
        on coco_images.license_id = coco_licenses.license_id
    left join license_codes
        on {{ license_key('coco_licenses.license_url') }} = license_codes.delivered

),

listed_wikimedia_images as (

    select
        image_id,
        'wikimedia' as source,
        url,
        license,
        license_url,
        description_url as page_url,
        timestamp,
        {{ json_object(
            timestamp='timestamp', lat='lat', lon='lon', camera_model='null', author='author',
            credit='credit', title='title', page_id='page_id', page_url='description_url',
            license_given='delivered_license', date_time_original='date_time_original',
            categories='categories', restrictions='restrictions', topics='topics'
        ) }} as metadata,
        width,
        height,
        lat,
        lon
    from {{ ref('images__wikimedia_images') }}

),

listed_openimages_images as (

    select
        image_id,
        'openimages' as source,
        url,
        license,
        license_url,
        landing_url as page_url,
        cast(null as {{ dbt.type_string() }}) as timestamp,
        {{ json_object(
            timestamp='null', lat='null', lon='null', camera_model='null', author='author',
            title='title', openimages_id='openimages_id', subset='subset',
            page_url='landing_url', license_given='delivered_license', rotation='rotation'
        ) }} as metadata,
        cast(null as bigint) as width,
        cast(null as bigint) as height,
        cast(null as double) as lat,
        cast(null as double) as lon
    from {{ ref('images__openimages_images') }}

),

listed_streetview_images as (

    select
        panoramas.image_id,
        'streetview' as source,
        panoramas.url,
        panoramas.license,
        license_codes.license_url,
        cast(null as {{ dbt.type_string() }}) as page_url,
        cast(null as {{ dbt.type_string() }}) as timestamp,
        {{ json_object(
            timestamp='null', lat='panoramas.lat', lon='panoramas.lon', camera_model='null',
            city='panoramas.city', heading='panoramas.heading', date='panoramas.taken_in',
            copyright='panoramas.copyright', pano_id='panoramas.pano_id'
        ) }} as metadata,
        cast(null as bigint) as width,
        cast(null as bigint) as height,
        panoramas.lat,
        panoramas.lon
    from {{ ref('images__streetview_images') }} as panoramas
    left join license_codes
        on panoramas.license = license_codes.delivered

),

listed_yfcc_images as (

    select
        image_id,
        'yfcc' as source,
        url,
        license,
        license_url,
        page_url,
        timestamp,
        {{ json_object(
            timestamp='timestamp', lat='lat', lon='lon', camera_model='camera_model',
            author='author', title='title', accuracy='accuracy', page_url='page_url',
            tags='user_tags', license_given='delivered_license'
        ) }} as metadata,
        cast(null as bigint) as width,
        cast(null as bigint) as height,
        lat,
        lon
    from {{ ref('images__yfcc_images') }}

),

listed_images as (

    select * from listed_coco_images
    union all
    select * from listed_wikimedia_images
    union all
    select * from listed_openimages_images
    union all
    select * from listed_streetview_images
    union all
    select * from listed_yfcc_images

),

-- COCO's pictures lie where they were landed from
final as (

    select
        image_id,
        url,
        case
            when source <> 'coco' then 'raw/images/' || source || '/' || image_id || '.jpg'
        end as local_path,
        source,
        metadata,
        license,
        license_url,
        page_url,
        timestamp,
        width,
        height,
        lat,
        lon
    from listed_images

)

select * from final
