with
detailed_crops as (
    select
        crops.*,
        crop_details.detail_share, crop_details.edge_share,
        category_names.why_not_by_part,
        crops.share_of_object >= {{ rc_threshold('least_crop_part') }} as shows_a_part,
        crop_details.edge_share >= {{ rc_threshold('least_crop_edges') }} as shows_edges
    from {{ ref('reality_check__scale_crops') }} as crops
    left join {{ ref('reality_check__crop_details') }} as crop_details using (image_id)
    left join {{ ref('reality_check_category_names') }} as category_names using (label)
),

findings as (
    select
        'scale_invariance::' || image_id as candidate_id,
        'scale_invariance' as bias_type, image_id, label, truth_source, difficulty,
        {{ list_value('label') }} as evidence_words,
        {{ json_object(
            area_fraction='round(area_fraction, 4)',
            detail_share='round(detail_share, 4)', edge_share='round(edge_share, 4)', label='label',
            share_of_object='round(share_of_object, 4)',
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
        -- it shows enough of the object, and parts that are its own, to be named by the crop alone
        not {{ var('reality_check_named_alone') }}
        or (why_not_by_part is null and coalesce(shows_a_part and shows_edges, true))
            as passes_naming,
        case
            when why_not_by_part is not null then label || ': ' || why_not_by_part
            when not shows_a_part then 'it shows a small part of the ' || label
            when not shows_edges then 'few of its pixels are edges'
        end as naming_detail,
        zoom, crop_left, crop_top, crop_width, crop_height
    from detailed_crops
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_scale_invariance', 'reality_check__scale_invariance_findings'
    ) }} as is_possible
from findings
