with
boxes as (
    select distinct openimages_id, label_name
    from {{ ref('stg_openimages__boxes') }}
    where not is_depiction
),

class_names as (
    select label_name, {{ min_by('display_name', 'source_file') }} as display_name
    from {{ ref('stg_openimages__classes') }}
    group by label_name
),

class_sizes as (
    select
        boxes.label_name,
        coalesce(min(class_names.display_name), boxes.label_name) as class_name,
        count(*) as class_size
    from boxes
    left join class_names using (label_name)
    group by boxes.label_name
),

ranked_classes as (
    select
        boxes.openimages_id, class_sizes.class_name, class_sizes.class_size,
        class_sizes.class_size >= {{ var('reality_check_least_images_per_class') }} as is_large,
        row_number() over (
            partition by
                boxes.openimages_id,
                class_sizes.class_size >= {{ var('reality_check_least_images_per_class') }}
            order by class_sizes.class_size, class_sizes.class_name
        ) as place_from_rarest,
        row_number() over (
            partition by boxes.openimages_id
            order by class_sizes.class_size desc, class_sizes.class_name asc
        ) as place_from_largest
    from boxes
    inner join class_sizes using (label_name)
)

select
    openimages_id,
    max(case when place_from_largest = 1 then class_name end) as largest_class,
    max(case when is_large and place_from_rarest = 1 then class_name end) as rarest_class,
    max(class_size) as largest_class_size,
    max(case when is_large and place_from_rarest = 1 then class_size end) as rarest_class_size
from ranked_classes
group by openimages_id
