select
    image_id as openimages_id,
    _source_file as source_file,
    subset,
    original_url,
    original_landing_url as landing_url,
    license as license_url,
    author_profile_url, author, title, original_md5,
    thumbnail_300k_url as thumbnail_url,
    original_size as original_n_bytes,
    _position as file_position,
    rotation
from {{ source('raw', 'openimages_images') }}
