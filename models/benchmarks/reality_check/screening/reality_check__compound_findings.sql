{%- set margin = rc_threshold('compound_margin') -%}
with
bias_failures as (select * from {{ ref('reality_check__bias_failures') }}),
texture_findings as (select * from {{ ref('reality_check__texture_findings') }}),

spatial_and_physical as (
    select
        'spatial_relations+physical_plausibility' as combination,
        spatial_findings.image_id,
        {{ list_value('spatial_findings.axis') }} as evidence_words,
        {{ json_object(
            physical_plausibility='physical_failures.drop_stage',
            spatial_relations='spatial_failures.drop_stage'
        ) }} as evidence,
        'spatial_relations: ' || spatial_failures.drop_stage as first_failure,
        'physical_plausibility: ' || physical_failures.drop_stage as second_failure
    from {{ ref('reality_check__spatial_relations_findings') }} as spatial_findings
    inner join {{ ref('reality_check__physical_plausibility_findings') }} as physical_findings
        using (image_id)
    left join bias_failures as spatial_failures
        on spatial_findings.candidate_id = spatial_failures.candidate_id
    left join bias_failures as physical_failures
        on physical_findings.candidate_id = physical_failures.candidate_id
),

-- a label that is the name of its group has no other names of the group to choose from
counted_scenes as (
    select
        'counting+spurious_correlation' as combination,
        counting_findings.image_id, counting_findings.label, counting_findings.scene,
        counting_findings.truth_source, counting_findings.n_objects,
        bias_failures.drop_stage as counting_stage,
        label_scenes.typicality, category_names.group_name,
        case
            when category_names.group_name is null then 'object'
            when category_names.group_name = counting_findings.label then 'object'
            when counting_findings.scene = 'unknown' then 'scene'
            when label_scenes.typicality is null then 'typicality'
        end as scene_stage
    from {{ ref('reality_check__counting_findings') }} as counting_findings
    left join bias_failures using (candidate_id)
    left join {{ ref('reality_check__label_scenes') }} as label_scenes using (label, scene)
    left join {{ ref('reality_check_category_names') }} as category_names using (label)
),

counting_and_spurious as (
    select
        combination, image_id,
        {{ list_value('label', 'scene', 'typicality') }} as evidence_words,
        {{ json_object(
            counting='counting_stage', label='label', n_objects='n_objects', scene='scene',
            spurious_correlation='scene_stage', typicality='typicality'
        ) }} as evidence,
        'counting: ' || counting_stage as first_failure,
        'spurious_correlation: ' || scene_stage as second_failure
    from counted_scenes
),

-- the crop has the picture's shape, and around the object's box a margin
zooms as (
    select
        images.image_id,
        images.width as picture_width,
        images.height as picture_height,
        main_objects.bbox,
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
    left join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
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
crops as (
    select
        'texture+scale_invariance' as combination,
        image_id, zoom,
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
),

texture_and_scale as (
    select
        crops.combination, crops.image_id,
        {{ list_value('texture_findings.label') }} as evidence_words,
        {{ json_object(
            label='texture_findings.label', scale_invariance='scale_failures.drop_stage',
            texture='texture_failures.drop_stage', zoom='round(crops.zoom, 2)'
        ) }} as evidence,
        'texture: ' || texture_failures.drop_stage as first_failure,
        -- a crop of the whole object shows more than a bare middle
        case
            when scale_failures.drop_stage not in ('detail', 'naming')
                then 'scale_invariance: ' || scale_failures.drop_stage
        end as second_failure
    from crops
    inner join texture_findings using (image_id)
    inner join {{ ref('reality_check__scale_invariance_findings') }} as scale_findings
        using (image_id)
    left join bias_failures as texture_failures
        on texture_findings.candidate_id = texture_failures.candidate_id
    left join bias_failures as scale_failures
        on scale_findings.candidate_id = scale_failures.candidate_id
),

-- the colours of the first picture alone are asked about
text_stages as (
    select
        text_findings.image_id, text_findings.names,
        text_failures.drop_stage as text_stage,
        case when text_pairs.pair_id is not null then binding_failures.drop_stage end
            as binding_stage
    from {{ ref('reality_check__text_in_image_findings') }} as text_findings
    inner join {{ ref('reality_check__compositional_binding_findings') }} as binding_findings
        using (image_id)
    left join {{ ref('reality_check__text_in_image_pairs') }} as text_pairs
        on text_findings.image_id = text_pairs.image_a_id
    left join bias_failures as text_failures
        on text_findings.candidate_id = text_failures.candidate_id
    left join bias_failures as binding_failures
        on binding_findings.candidate_id = binding_failures.candidate_id
),

binding_and_text as (
    select
        'compositional_binding+text_in_image' as combination,
        image_id,
        coalesce(names, {{ empty_list('string') }}) as evidence_words,
        {{ json_object(
            compositional_binding='binding_stage', names='names', text_in_image='text_stage'
        ) }} as evidence,
        'text_in_image: ' || text_stage as first_failure,
        'compositional_binding: ' || binding_stage as second_failure
    from text_stages
),

compounds as (
    {%- for compound in var('reality_check_compounds') %}
        select combination, image_id, evidence_words, evidence, first_failure, second_failure
        from {{ compound }}
        {%- if not loop.last %}
            union all
        {%- endif %}
    {%- endfor %}
),

findings as (
    select
        'compound::' || compounds.combination || '::' || compounds.image_id as candidate_id,
        'compound' as bias_type, compounds.combination, compounds.image_id, counted_scenes.label,
        counted_scenes.group_name, counted_scenes.scene, counted_scenes.typicality,
        counted_scenes.truth_source, 'hard' as difficulty, compounds.evidence_words,
        compounds.evidence,
        -- the image stands for both biases
        coalesce(compounds.first_failure, compounds.second_failure) is null as passes_components,
        coalesce(compounds.first_failure, compounds.second_failure) as components_detail,
        -- the margin of the crop leaves room for it to come closer
        coalesce(crops.zoom >= {{ rc_threshold('compound_least_zoom') }}, true) as passes_fit,
        counted_scenes.n_objects, crops.zoom, crops.crop_left, crops.crop_top, crops.crop_width,
        crops.crop_height
    from compounds
    left join counted_scenes using (combination, image_id)
    left join crops using (combination, image_id)
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compound', 'reality_check__compound_findings'
    ) }} as is_possible
from findings
