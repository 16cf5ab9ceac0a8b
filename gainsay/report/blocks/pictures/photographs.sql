-- photographs as they landed, and whether they may be shown
select
    source_image_id as picture_id,
    source_image_id as shown_image_id,
    null::varchar as recipe_id,
    path,
    archive,
    null::varchar as rendered_file,
    license_name,
    license_url,
    flickr_url,
    picture_state
from report.report__photographs
