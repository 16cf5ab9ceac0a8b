select source_image_id, object_name, count(*) as n_objects, bool_or(is_crowd) as has_crowd
from {{ ref('certainly_uncertain__picture_objects') }}
group by source_image_id, object_name
