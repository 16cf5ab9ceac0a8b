{%- set margin = rc_threshold('compound_margin') -%}
with
bias_failures as (select * from {{ ref('reality_check__bias_failures') }}),

-- the crop has the picture's shape, and around the object's box a margin
zooms as (
    select
        images.image_id,
        images.width as picture_width,
        images.height as picture_height,
        main_objects.bbox, texture_findings.label,
        texture_failures.drop_stage as texture_stage,
        scale_failures.drop_stage as scale_stage,
        case
            when main_objects.image_id is not null
                then
                    least(
                        {{ rc_threshold('compound_most_zoom') }},
                        images.width / ({{ margin }} * {{ list_extract('main_objects.bbox', 3) }}),
                        images.height / ({{ margin }} * {{ list_extract('main_objects.bbox', 4) }})
                    )
        end as zoom
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('reality_check__texture_findings') }} as texture_findings using (image_id)
    inner join {{ ref('reality_check__scale_invariance_findings') }} as scale_findings
        using (image_id)
    left join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
    left join bias_failures as texture_failures
        on texture_findings.candidate_id = texture_failures.candidate_id
    left join bias_failures as scale_failures
        on scale_findings.candidate_id = scale_failures.candidate_id
),

crop_sizes as (
    select
        *,
        cast(round(picture_width / zoom) as bigint) as crop_width,
        cast(round(picture_height / zoom) as bigint) as crop_height,
        {{ list_extract('bbox', 1) }} + {{ list_extract('bbox', 3) }} / 2 as center_x,
        {{ list_extract('bbox', 2) }} + {{ list_extract('bbox', 4) }} / 2 as center_y
    from zooms
),

-- centred on the box, and shifted into the picture
findings as (
    select
        'compound::texture+scale_invariance::' || image_id as candidate_id,
        'compound' as bias_type, 'texture+scale_invariance' as combination, image_id,
        'hard' as difficulty,
        {{ list_value('label') }} as evidence_words,
        {{ json_object(
            label='label', scale_invariance='scale_stage', texture='texture_stage',
            zoom='round(zoom, 2)'
        ) }} as evidence,
        -- the image stands for both biases; a crop of the whole object shows more than a bare
        -- middle
        texture_stage is null
        and coalesce(scale_stage in ('detail', 'naming'), true) as passes_components,
        case
            when texture_stage is not null then 'texture: ' || texture_stage
            when scale_stage <> 'detail' then 'scale_invariance: ' || scale_stage
        end as components_detail,
        -- the margin of the crop leaves room for it to come closer
        coalesce(zoom >= {{ rc_threshold('compound_least_zoom') }}, true) as passes_fit,
        zoom,
        case
            when bbox is not null
                then
                    least(
                        greatest(cast(floor(center_x - crop_width / 2.0) as bigint), 0),
                        picture_width - crop_width
                    )
        end as crop_left,
        case
            when bbox is not null
                then
                    least(
                        greatest(cast(floor(center_y - crop_height / 2.0) as bigint), 0),
                        picture_height - crop_height
                    )
        end as crop_top,
        crop_width, crop_height
    from crop_sizes
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compound', 'reality_check__texture_and_scale_findings'
    ) }} as is_possible
from findings
