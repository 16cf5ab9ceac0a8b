with
coco_licenses as (
    select license_id, {{ min_by('license_url', 'source_file') }} as license_url
    from {{ ref('stg_coco__licenses') }}
    group by license_id
),

license_codes as (select * from {{ ref('license_codes') }}),

listed_coco_images as (
    select
        coco_images.source_image_id as image_id, 'coco' as source, coco_images.coco_url as url,
        license_codes.license, coco_licenses.license_url,
        coco_images.flickr_url as page_url, cast(null as string) as timestamp,
        {{ json_object(
            timestamp='null', lat='null', lon='null', camera_model='null',
            file_name='coco_images.file_name', flickr_url='coco_images.flickr_url'
        ) }} as metadata,
        coco_images.width, coco_images.height, cast(null as double) as lat,
        cast(null as double) as lon, cast(null as double) as heading
    from {{ ref('images__source_images') }} as coco_images
    left join coco_licenses on coco_images.license_id = coco_licenses.license_id
    left join license_codes
        on {{ license_key('coco_licenses.license_url') }} = license_codes.delivered
),

listed_wikimedia_images as (
    select
        image_id, 'wikimedia' as source, url, license, license_url,
        description_url as page_url, timestamp,
        {{ json_object(
            timestamp='timestamp', lat='lat', lon='lon', camera_model='null', author='author',
            credit='credit', title='title', page_id='page_id', page_url='description_url',
            license_given='delivered_license', date_time_original='date_time_original',
            categories='categories', restrictions='restrictions', topics='topics'
        ) }} as metadata,
        width, height, lat, lon, cast(null as double) as heading
    from {{ ref('images__wikimedia_images') }}
),

listed_openimages_images as (
    select
        image_id, 'openimages' as source, url, license, license_url,
        landing_url as page_url, cast(null as string) as timestamp,
        {{ json_object(
            timestamp='null', lat='null', lon='null', camera_model='null', author='author',
            title='title', openimages_id='openimages_id', subset='subset',
            page_url='landing_url', license_given='delivered_license', rotation='rotation'
        ) }} as metadata,
        cast(null as bigint) as width, cast(null as bigint) as height, cast(null as double) as lat,
        cast(null as double) as lon, cast(null as double) as heading
    from {{ ref('images__openimages_images') }}
),

listed_streetview_images as (
    select
        panoramas.image_id, 'streetview' as source, panoramas.url, panoramas.license,
        license_codes.license_url, cast(null as string) as page_url,
        cast(null as string) as timestamp,
        {{ json_object(
            timestamp='null', lat='panoramas.lat', lon='panoramas.lon', camera_model='null',
            city='panoramas.city', heading='panoramas.heading', date='panoramas.taken_in',
            copyright='panoramas.copyright', pano_id='panoramas.pano_id'
        ) }} as metadata,
        cast(null as bigint) as width, cast(null as bigint) as height, panoramas.lat, panoramas.lon,
        cast(panoramas.heading as double) as heading
    from {{ ref('images__streetview_images') }} as panoramas
    left join license_codes on panoramas.license = license_codes.delivered
),

listed_yfcc_images as (
    select
        image_id, 'yfcc' as source, url, license, license_url, page_url, timestamp,
        {{ json_object(
            timestamp='timestamp', lat='lat', lon='lon', camera_model='camera_model',
            author='author', title='title', accuracy='accuracy', page_url='page_url',
            tags='user_tags', license_given='delivered_license'
        ) }} as metadata,
        cast(null as bigint) as width, cast(null as bigint) as height, lat, lon,
        cast(null as double) as heading
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

files as (
    select
        source_image_id as image_id,
        {{ min_by(
            'place_in_folder', "case when error_kind is null then '0' else '1' end || path"
        ) }} as place_in_folder
    from {{ ref('stg_images__files') }}
    group by source_image_id
),

own_licenses as (
    select
        source_file, license_key,
        {{ min_by('coalesce(license_url, license_name)', 'file_position') }} as license
    from {{ ref('stg_own__licenses') }}
    group by source_file, license_key
),

own_mentions as (
    select
        matches.source_image_id,
        coalesce(matches.flickr_url, matches.coco_url) as url,
        coalesce(own_licenses.license, matches.license_key) as license,
        matches.source_file || ':' || cast(matches.file_position as string) as mention
    from {{ ref('images__own_matches') }} as matches
    left join own_licenses
        on
            matches.source_file = own_licenses.source_file
            and matches.license_key = own_licenses.license_key
    where matches.source_image_id is not null
),

-- what the first file of annotations says that says something
annotated_images as (
    select
        source_image_id,
        {{ min_by('url', "case when url is null then '1' else '0' end || mention") }} as url,
        {{ min_by('license', "case when license is null then '1' else '0' end || mention") }}
            as license
    from own_mentions
    group by source_image_id
),

-- a landed picture that no source lists is somebody's own
own_images as (
    select
        files.image_id, files.place_in_folder,
        coalesce(statements.url, annotated_images.url) as url,
        coalesce(statements.license, annotated_images.license) as delivered_license,
        statements.author, statements.split_group, statements.clock, statements.latitude,
        statements.longitude, statements.heading
    from files
    left join listed_images on files.image_id = listed_images.image_id
    left join {{ ref('images__own_statements') }} as statements
        on files.image_id = statements.source_image_id
    left join annotated_images on files.image_id = annotated_images.source_image_id
    where listed_images.image_id is null
),

listed_own_images as (
    select
        own_images.image_id, 'own' as source, own_images.url, license_codes.license,
        license_codes.license_url,
        own_images.url as page_url, own_images.clock as timestamp,
        {{ json_object(
            timestamp='own_images.clock', lat='own_images.latitude', lon='own_images.longitude',
            camera_model='null', author='own_images.author', file='own_images.place_in_folder',
            license_given='own_images.delivered_license', heading='own_images.heading',
            split_group='own_images.split_group'
        ) }} as metadata,
        cast(null as bigint) as width, cast(null as bigint) as height,
        own_images.latitude as lat, own_images.longitude as lon, own_images.heading
    from own_images
    left join license_codes
        on {{ license_key('own_images.delivered_license') }} = license_codes.delivered
),

all_images as (
    select * from listed_images
    union all
    select * from listed_own_images
)

-- COCO's pictures and one's own lie where they were landed from
select
    image_id,
    url,
    case
        when source not in ('coco', 'own')
            then 'raw/images/' || source || '/' || image_id || '.jpg'
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
    lon,
    heading
from all_images
