with
listed_images as (
    select
        *,
        coalesce(original_url, openimages_id) as url,
        row_number() over (
            partition by coalesce(original_url, openimages_id)
            order by openimages_id, source_file, file_position
        ) as mention
    from {{ ref('stg_openimages__images') }}
)

select
    'openimages_' || substr(md5(listed_images.url), 1, 12) as image_id,
    listed_images.openimages_id, listed_images.url, listed_images.subset, listed_images.landing_url,
    listed_images.title, listed_images.author,
    listed_images.license_url as delivered_license,
    license_codes.license, license_codes.license_family, license_codes.license_url,
    listed_images.original_md5, listed_images.original_n_bytes, listed_images.rotation
from listed_images
left join {{ ref('license_codes') }} as license_codes
    on {{ license_key('listed_images.license_url') }} = license_codes.delivered
where listed_images.mention = 1
