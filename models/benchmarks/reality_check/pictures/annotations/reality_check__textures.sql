with
pictures as (select * from {{ ref('reality_check__contents') }}),

findings as (
    {{ look_at('pictures', 'gs_texture') }}
),

measurements as (
    select
        image_sha256,
        finding.error as error,
        finding.edge_density as edge_density,
        finding.dominant_texture_frequency
            as dominant_texture_frequency,
        finding.largest_contour_share as largest_contour_share
    from findings
)

select
    *,
    edge_density > {{ rc_threshold('silhouette_edge_density') }}
    and largest_contour_share > {{ rc_threshold('silhouette_area') }}
        as is_silhouette_extractable
from measurements
