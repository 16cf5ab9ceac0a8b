with
part_pairs as (
    {{ union_of_biases(var('reality_check_compounds'), 'pairs', [
        'pair_id', 'combination', 'image_a_id', 'image_b_id', 'asked_label', 'slots',
        'first_right', 'first_wrong', 'second_right', 'second_wrong', 'answer_separator',
        'binding_a', 'binding_b', 'metadata', 'truth_source', 'recipe_family',
        'recipe_parameters', 'recipe_rle', 'edit_families',
    ]) }}
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
