select
    objects.source_image_id as image_id,
    objects.label,
    min(objects.supercategory) as supercategory,
    min(objects.truth_source) as truth_source,
    cast(sum(case when objects.is_crowd then 0 else 1 end) as bigint) as n_objects,
    cast(sum(case when objects.is_crowd then 1 else 0 end) as bigint) as n_crowds,
    max(case when not objects.is_crowd then objects.area_fraction end) as largest_area_fraction,
    max(case
        when not objects.is_crowd
            then least({{ list_extract('objects.bbox', 3) }}, {{ list_extract('objects.bbox', 4) }})
    end) as largest_side
from {{ ref('reality_check__objects') }} as objects
inner join {{ ref('reality_check__images') }} as images on objects.source_image_id = images.image_id
group by objects.source_image_id, objects.label
