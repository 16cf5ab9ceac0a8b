with
detailed_crops as (
    select
        crops.*,
        zooms.difficulty,
        crop_details.detail_share
    from {{ ref('reality_check__scale_crops') }} as crops
    left join {{ ref('reality_check_zooms') }} as zooms using (zoom)
    left join {{ ref('reality_check__crop_details') }} as crop_details using (image_id)
),

findings as (
    select
        'scale_invariance::' || image_id as candidate_id,
        'scale_invariance' as bias_type,
        image_id,
        label,
        truth_source,
        difficulty,
        {{ list_value('label') }} as evidence_words,
        {{ json_object(
            area_fraction='round(area_fraction, 4)',
            detail_share='round(detail_share, 4)', label='label',
            share_on_object='round(share_on_object, 4)', zoom='zoom'
        ) }} as evidence,
        -- the picture has an object
        object_id is not null as passes_annotation,
        case
            when has_object_annotations then 'its annotations name no object'
            else 'no annotations landed'
        end as annotation_detail,
        -- it takes the wanted share of the picture, within it, and is plainly the main one
        coalesce(is_of_size, true)
        and doubt is null
        and coalesce(n_cut_sides <= {{ rc_threshold('most_cut_sides') }}, true)
            as passes_object,
        case
            when not is_of_size then cast(null as string)
            when doubt is not null then doubt
            when n_cut_sides > {{ rc_threshold('most_cut_sides') }}
                then 'the picture cuts the object off on ' || n_cut_sides || ' sides'
        end as object_detail,
        -- the crop has enough pixels and lies on the object
        coalesce(
            least(crop_width, crop_height) >= {{ rc_threshold('least_crop_side') }}
            and share_on_object >= {{ rc_threshold('crop_on_object') }},
            true
        ) as passes_crop,
        -- the crop shows more than a bare surface
        coalesce(detail_share >= {{ rc_threshold('least_crop_detail') }}, true)
            as passes_detail,
        zoom,
        crop_left,
        crop_top,
        crop_width,
        crop_height
    from detailed_crops
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_scale_invariance', 'reality_check__scale_invariance_findings'
    ) }} as is_possible
from findings
