with
-- only crops that pass every other rule are looked at
crops as (
    select * from {{ ref('reality_check__scale_crops') }}
    where
        is_of_size
        and doubt is null
        and n_cut_sides <= {{ rc_threshold('most_cut_sides') }}
        and share_on_object >= {{ rc_threshold('crop_on_object') }}
        and least(crop_width, crop_height) >= {{ rc_threshold('least_crop_side') }}
),

findings as (
    select
        crops.image_id,
        gs_crop_detail(
            pictures.path, pictures.archive, pictures.sha256, {{ annotations_folder() }},
            {{ var('max_image_bytes') }}, crops.crop_left, crops.crop_top, crops.crop_width,
            crops.crop_height, cast({{ rc_threshold('crop_contrast') }} as bigint)
        ) as finding
    from crops
    inner join {{ ref('images__files') }} as files on crops.image_id = files.source_image_id
    inner join {{ ref('reality_check__contents') }} as pictures using (sha256)
)

select
    image_id,
    finding.error as error,
    finding.detail_share as detail_share,
    finding.edge_share as edge_share
from findings
