with
objects as (
    select * from {{ ref('reality_check__objects') }}
    where not is_crowd
),

label_namings as (select * from {{ ref('reality_check__label_namings') }}),

-- the largest object; of two as large the first by label, then the one farther left
ranked_objects as (
    select
        objects.source_image_id as image_id,
        objects.object_id, objects.label, objects.truth_source, objects.bbox, objects.area_fraction,
        objects.mask_fraction,
        row_number() over (
            partition by objects.source_image_id
            order by
                objects.area_fraction desc,
                objects.label asc,
                {{ list_extract('objects.bbox', 1) }} asc,
                objects.object_id asc
        ) as size_rank
    from objects
    inner join {{ ref('reality_check__images') }} as images
        on objects.source_image_id = images.image_id
),

largest_objects as (
    select * from ranked_objects
    where size_rank = 1
),

-- what else the picture could be said to show
rivals as (
    select
        largest_objects.image_id,
        max(label_counts.largest_area_fraction) as rival_area_fraction,
        max(label_namings.n_naming) as rival_namings
    from largest_objects
    inner join {{ ref('reality_check__label_counts') }} as label_counts
        on
            largest_objects.image_id = label_counts.image_id
            and largest_objects.label <> label_counts.label
    left join label_namings
        on
            label_counts.image_id = label_namings.image_id
            and label_counts.label = label_namings.label
    group by largest_objects.image_id
)

select
    largest_objects.image_id, largest_objects.object_id, largest_objects.label,
    largest_objects.truth_source,
    case
        when not category_names.is_shown_alone
            then 'other things lie within the outline of a ' || largest_objects.label
        when
            rivals.rival_area_fraction
            > {{ rc_threshold('most_rival_area') }} * largest_objects.area_fraction
            then 'something else is nearly as large as the ' || largest_objects.label
        when
            label_namings.n_naming
            < {{ rc_threshold('least_naming_share') }} * label_namings.n_captions
            then 'few captions name the ' || largest_objects.label
        when label_namings.n_naming < rivals.rival_namings
            then 'more captions name something else than the ' || largest_objects.label
    end as doubt,
    largest_objects.bbox, largest_objects.area_fraction, largest_objects.mask_fraction,
    label_namings.n_captions, label_namings.n_naming, rivals.rival_area_fraction,
    rivals.rival_namings
from largest_objects
left join rivals using (image_id)
left join label_namings using (image_id, label)
left join {{ ref('reality_check_category_names') }} as category_names using (label)
