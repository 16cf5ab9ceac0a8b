with
scenes as (
    select * from {{ ref('reality_check__scenes') }}
    where scene is not null
),

scene_counts as (
    select label_counts.label, scenes.scene, count(*) as n_images
    from {{ ref('reality_check__label_counts') }} as label_counts
    inner join {{ ref('reality_check__images') }} using (image_id)
    inner join scenes on label_counts.image_id = scenes.source_image_id
    group by label_counts.label, scenes.scene
),

shares as (
    select
        *,
        sum(n_images) over (partition by label) as n_label_images,
        cast(n_images as double) / sum(n_images) over (partition by label) as share
    from scene_counts
)

-- what people know of a label and a scene goes before what these images show
select
    coalesce(shares.label, context_overrides.label) as label,
    coalesce(shares.scene, context_overrides.scene) as scene,
    case
        when context_overrides.typicality is not null then context_overrides.typicality
        when shares.share >= {{ rc_threshold('typical_share') }} then 'typical'
        when
            shares.share <= {{ rc_threshold('atypical_share') }}
            and shares.n_label_images >= {{ rc_threshold('least_label_images') }}
            then 'atypical'
    end as typicality,
    cast(coalesce(shares.n_images, 0) as bigint) as n_images,
    cast(coalesce(shares.n_label_images, 0) as bigint) as n_label_images,
    coalesce(shares.share, 0) as share
from shares
full outer join {{ ref('reality_check_context_overrides') }} as context_overrides
    on shares.label = context_overrides.label and shares.scene = context_overrides.scene
