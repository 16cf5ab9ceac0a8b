with
-- pictures that belong together are in one split; a picture of no group is one of its own
grouped_images as (
    select *, coalesce('group-' || split_group, image_id) as split_key
    from {{ ref('reality_check__images') }}
),

split_keys as (
    select distinct split_key from grouped_images
),

placed_keys as (
    {{ seeded_places('split_keys', 'rc_split', 'split_key', seed_var='reality_check_seed') }}
)

-- the fewer uses a licence allows, the more restrictive it is; an unknown one allows none
select
    grouped_images.image_id, grouped_images.image_file, collected_images.license,
    case
        when
            placed_keys.seeded_place + 1
            <= placed_keys.n_places * {{ var('reality_check_dev_share') }}
            then 'dev'
        else 'test'
    end as split,
    case when license_terms.allows_copies then 1 else 0 end
    + case when license_terms.allows_derivatives then 1 else 0 end
    + case when license_terms.allows_commercial_use then 1 else 0 end as n_uses,
    coalesce(license_terms.allows_copies, false)
    and (
        license_terms.allows_derivatives
        or not {{ var('export_requires_derivatives') }}
    )
    and (
        license_terms.allows_commercial_use
        or not {{ var('export_requires_commercial_use') }}
    ) as is_redistributable,
    -- one's own pictures of which no licence is stated are for whoever delivers them
    is_redistributable
    or coalesce(
        grouped_images.source = 'own'
        and {{ json_extract_string('grouped_images.metadata', '$.license_given') }} is null,
        false
    ) as is_delivered
from grouped_images
inner join placed_keys using (split_key)
left join {{ ref('images__collected_images') }} as collected_images using (image_id)
left join {{ ref('license_terms') }} as license_terms
    on collected_images.license_url = license_terms.license_url
