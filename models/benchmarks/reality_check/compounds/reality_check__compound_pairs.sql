with
edited_pairs as (select * from {{ ref('reality_check__edited_pairs') }}),

-- the shadow turns first, where its region was found, and the picture flips afterwards
spatial_and_physical as (
    select
        candidates.candidate_id as pair_id,
        candidates.combination,
        candidates.image_id as image_a_id,
        candidates.image_id as image_b_id,
        {{ absent_pair_columns('asked_label') }},
        '{}' as slots, 'No' as first_right, 'Yes' as first_wrong, 'No' as second_right,
        'Yes' as second_wrong, '; ' as answer_separator,
        {{ absent_pair_columns('binding_a', 'binding_b') }},
        '{"physical_plausibility":' || physical_pairs.metadata
        || ',"spatial_relations":' || spatial_pairs.metadata || '}' as metadata,
        spatial_pairs.truth_source || '+' || physical_pairs.truth_source as truth_source,
        'chain' as recipe_family,
        '{"steps":[{"family":"shadow_turn","parameters":' || physical_pairs.recipe_parameters
        || '},{"family":"flip","parameters":' || spatial_pairs.recipe_parameters || '}]}'
            as recipe_parameters,
        physical_pairs.recipe_rle,
        {{ list_value("'shadow_turn'", "'flip'") }} as edit_families
    from {{ ref('reality_check__spatial_and_physical_findings') }} as candidates
    inner join edited_pairs as spatial_pairs on candidates.image_id = spatial_pairs.image_a_id
    inner join edited_pairs as physical_pairs on candidates.image_id = physical_pairs.image_a_id
    where
        candidates.is_possible
        and spatial_pairs.bias_type = 'spatial_relations'
        and physical_pairs.bias_type = 'physical_plausibility'
),

counting_and_spurious as (select * from {{ ref('reality_check__counting_and_spurious_pairs') }}),

-- the outline fills its picture before the crop comes closer; its mask is made once the pair is
-- drawn, so only outlines that edges draw stand here
texture_and_scale as (
    select
        candidates.candidate_id as pair_id,
        candidates.combination,
        candidates.image_id as image_a_id,
        candidates.image_id as image_b_id,
        texture_pairs.asked_label, '{}' as slots, 'Yes' as first_right, 'No' as first_wrong,
        'No' as second_right, 'Yes' as second_wrong, '; ' as answer_separator,
        {{ absent_pair_columns('binding_a', 'binding_b') }},
        {{ json_object(
            label='texture_pairs.asked_label',
            method=json_field('texture_pairs.metadata', "'method'"),
            zoom='round(candidates.zoom, 2)'
        ) }} as metadata,
        texture_pairs.truth_source, 'chain' as recipe_family,
        '{"object_id":"' || {{ json_field('texture_pairs.recipe_parameters', "'object_id'") }}
        || '","steps":[{"family":"silhouette"},{"family":"zoom","parameters":'
        || {{ json_object(
            height='candidates.crop_height', left='candidates.crop_left',
            top='candidates.crop_top', width='candidates.crop_width'
        ) }} || '}]}' as recipe_parameters,
        texture_pairs.recipe_rle,
        {{ list_value("'silhouette'", "'zoom'") }} as edit_families
    from {{ ref('reality_check__texture_and_scale_findings') }} as candidates
    inner join edited_pairs as texture_pairs on candidates.image_id = texture_pairs.image_a_id
    where candidates.is_possible and texture_pairs.bias_type = 'texture'
),

-- two photographs with names of places, of which the first shows two objects in two colors
binding_and_text as (
    select
        'compound::' || candidates.combination || '::' || text_pairs.image_a_id
        || '::' || text_pairs.image_b_id as pair_id,
        candidates.combination, text_pairs.image_a_id, text_pairs.image_b_id,
        {{ absent_pair_columns('asked_label') }},
        binding_pairs.slots,
        binding_pairs.binding_a as first_right,
        binding_pairs.binding_b as first_wrong,
        'No' as second_right, 'Yes' as second_wrong, '; ' as answer_separator,
        binding_pairs.binding_a, binding_pairs.binding_b,
        '{"compositional_binding":' || binding_pairs.metadata
        || ',"text_in_image":' || text_pairs.metadata || '}' as metadata,
        binding_pairs.truth_source || '+' || text_pairs.truth_source as truth_source,
        {{ absent_pair_columns(
            'recipe_family', 'recipe_parameters', 'recipe_rle', 'edit_families'
        ) }}
    from {{ ref('reality_check__binding_and_text_findings') }} as candidates
    inner join {{ ref('reality_check__text_in_image_pairs') }} as text_pairs
        on candidates.image_id = text_pairs.image_a_id
    inner join {{ ref('reality_check__compositional_binding_pairs') }} as binding_pairs
        on candidates.image_id = binding_pairs.image_a_id
    where candidates.is_possible
),

part_pairs as {{ computed_once() }} (
    {%- for compound in var('reality_check_compounds') %}
        select
            pair_id, combination, image_a_id, image_b_id, asked_label, slots, first_right,
            first_wrong, second_right, second_wrong, answer_separator, binding_a, binding_b,
            metadata, truth_source, recipe_family, recipe_parameters, recipe_rle, edit_families
        from {{ compound }}
        {%- if not loop.last %}
            union all
        {%- endif %}
    {%- endfor %}
),

options as (
    {{ compound_options('part_pairs') }}
),

combinations as (select * from {{ ref('reality_check_compound_combinations') }})

select
    part_pairs.pair_id, 'compound' as bias_type, part_pairs.combination, part_pairs.image_a_id,
    part_pairs.image_b_id,
    {{ absent_pair_columns('image_c_id') }},
    'hard' as difficulty, part_pairs.asked_label, part_pairs.slots, options.options,
    options.correct_answer, options.distractor_answers,
    {{ failure_modes('combinations', 'options') }} as expected_failure_mode,
    part_pairs.binding_a, part_pairs.binding_b, part_pairs.metadata, part_pairs.truth_source,
    part_pairs.recipe_family, part_pairs.recipe_parameters, part_pairs.recipe_rle,
    part_pairs.edit_families
from part_pairs
inner join options using (pair_id)
inner join combinations using (combination)
