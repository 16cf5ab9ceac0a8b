select
    photo_id,
    _source_file as source_file,
    user_nsid, user_nickname, date_taken, capture_device, title, description, user_tags,
    machine_tags, page_url, download_url, license_name, license_url, extension, accuracy, marker,
    _position as file_position,
    longitude,
    latitude
from {{ source('raw', 'yfcc_photos') }}
