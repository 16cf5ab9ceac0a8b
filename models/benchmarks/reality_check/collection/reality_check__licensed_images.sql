with

images as (

    select * from {{ ref('reality_check__images') }}

),

collected_images as (

    select * from {{ ref('images__collected') }}

),

license_terms as (

    select * from {{ ref('license_terms') }}

),

-- the fewer uses a licence allows, the more restrictive it is; an unknown one allows none
final as (

    select
        images.image_id,
        images.image_file,
        collected_images.license,
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
        ) as is_redistributable
    from images
    left join collected_images
        on images.image_id = collected_images.image_id
    left join license_terms
        on collected_images.license_url = license_terms.license_url

)

select * from final
