with
edited_pairs as (select * from {{ ref('reality_check__edited_pairs') }}),

possible_candidates as (
    select * from {{ ref('reality_check__compound_findings') }}
    where is_possible
),

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
    from possible_candidates as candidates
    inner join edited_pairs as spatial_pairs on candidates.image_id = spatial_pairs.image_a_id
    inner join edited_pairs as physical_pairs on candidates.image_id = physical_pairs.image_a_id
    where
        candidates.combination = 'spatial_relations+physical_plausibility'
        and spatial_pairs.bias_type = 'spatial_relations'
        and physical_pairs.bias_type = 'physical_plausibility'
),

counted_images as (
    select * from possible_candidates
    where combination = 'counting+spurious_correlation'
),

count_levels as (select * from {{ ref('reality_check__count_levels') }}),

-- things of one label in a usual scene, and another number of them in an unusual one: a ring for
-- each label, on which images of usual scenes seek one of an unusual scene
ring_places as (
    select
        *,
        label as ring,
        row_number() over (
            partition by label
            order by
                {{ seeded_order(
                    'rc_ring', "'counting+spurious_correlation:' || image_id",
                    seed_var='reality_check_seed'
                ) }},
                image_id
        ) - 1 as ring_position,
        count(*) over (partition by label) as ring_size
    from counted_images
),

seekers as (
    select * from ring_places
    where typicality = 'typical'
),

wishes as (
    select seekers.*, count_levels.count_b as partner_class
    from seekers
    inner join count_levels on seekers.n_objects = count_levels.count_a
),

partners as (
    select *, n_objects as partner_class
    from ring_places
    where typicality = 'atypical'
),

walks as (
    {{ two_walks('wishes', 'partners') }}
),

matches as (
    select
        'compound::counting+spurious_correlation::' || walks.image_id || '::' || walks.partner_id
            as pair_id,
        walks.image_id as image_a_id,
        walks.partner_id as image_b_id,
        seekers.combination, seekers.label, seekers.group_name, seekers.truth_source,
        seekers.scene as scene_a,
        partners.scene as scene_b,
        seekers.n_objects as count_a,
        partners.n_objects as count_b,
        count_levels.more, count_levels.fewer
    from walks
    inner join seekers using (image_id)
    inner join partners on walks.partner_id = partners.image_id
    inner join count_levels
        on
            seekers.n_objects = count_levels.count_a
            and partners.n_objects = count_levels.count_b
),

-- what the second scene suggests and neither picture has: a name that one of them bore out would
-- be no wrong answer, since the question is about both
foils as (
    {{ suggested_names('matches', ['image_a_id', 'image_b_id']) }}
),

-- a pair without another name to choose has no second question
counting_and_spurious as (
    select
        matches.pair_id, matches.combination, matches.image_a_id, matches.image_b_id,
        matches.label as asked_label,
        '{}' as slots,
        matches.more as first_right,
        matches.fewer as first_wrong,
        matches.label as second_right,
        foils.label as second_wrong,
        ', ' as answer_separator,
        {{ absent_pair_columns('binding_a', 'binding_b') }},
        {{ json_object(
            count_a='matches.count_a', count_b='matches.count_b', label='matches.label',
            scene_a='matches.scene_a', scene_b='matches.scene_b'
        ) }} as metadata,
        matches.truth_source,
        {{ absent_pair_columns(
            'recipe_family', 'recipe_parameters', 'recipe_rle', 'edit_families'
        ) }}
    from matches
    inner join foils on matches.pair_id = foils.pair_id and foils.place = 1
),

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
    from possible_candidates as candidates
    inner join edited_pairs as texture_pairs on candidates.image_id = texture_pairs.image_a_id
    where
        candidates.combination = 'texture+scale_invariance'
        and texture_pairs.bias_type = 'texture'
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
    from possible_candidates as candidates
    inner join {{ ref('reality_check__text_in_image_pairs') }} as text_pairs
        on candidates.image_id = text_pairs.image_a_id
    inner join {{ ref('reality_check__compositional_binding_pairs') }} as binding_pairs
        on candidates.image_id = binding_pairs.image_a_id
    where candidates.combination = 'compositional_binding+text_in_image'
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
