-- a view, because a report reads a few hundred of its rows
{{ config(materialized='view') }}
select
    pictures.source_image_id, pictures.path, pictures.archive, pictures.license_name,
    pictures.license_url, pictures.flickr_url,
    case
        when license_terms.license_url is null then 'license_unknown'
        when pictures.path is null then 'not_landed'
        else 'shown'
    end as picture_state,
    pictures.allows_derivatives
from {{ ref('exports__pictures') }} as pictures
left join {{ ref('license_terms') }} as license_terms using (license_url)
