with
panoramas as (
    select
        *,
        row_number() over (
            partition by city, point
            order by source_file, file_position
        ) as mention
    from {{ ref('stg_streetview__panoramas') }}
    where status = 'OK' and pano_id is not null
),

-- a point that snaps to the panorama of an earlier one has no panorama of its own
ordered_panoramas as (
    select
        panoramas.*,
        row_number() over (
            partition by panoramas.pano_id
            order by cities.city_position, panoramas.city, panoramas.point
        ) as place_of_panorama
    from panoramas
    left join {{ ref('streetview_cities') }} as cities using (city)
    where panoramas.mention = 1
),

headed_panoramas as (
    select ordered_panoramas.*, cast(headings.value as integer) as heading
    from ordered_panoramas
    cross join {{ ref('shared_thresholds') }} as headings
    where headings.concern = 'streetview_headings'
),

-- the request for the picture without its key and signature
addressed_panoramas as (
    select
        *,
        'https://maps.googleapis.com/maps/api/streetview?size=640x640&location=' || location
        || '&source=outdoor&fov=90&pitch=0&heading=' || cast(heading as string)
        || '&return_error_code=true' as url
    from headed_panoramas
)

select
    'streetview_' || substr(md5(url), 1, 12) as image_id,
    url, pano_id, city, copyright, taken_in, 'google-streetview' as license, point, heading,
    latitude as lat,
    longitude as lon,
    place_of_panorama = 1 as is_own_panorama
from addressed_panoramas
