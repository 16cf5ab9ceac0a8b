with
candidates as (
    select * from {{ ref('reality_check__spatial_relations_findings') }}
    where is_possible
)

select
    candidate_id as pair_id,
    bias_type,
    image_id as image_a_id,
    image_id as image_b_id,
    difficulty, '{}' as slots,
    {{ json_object(
        axis='axis', depth_difference='depth_difference', mirror_difference='mirror_difference'
    ) }} as metadata,
    'flip_recipe' as truth_source, 'flip' as recipe_family,
    {{ json_object(axis='axis') }} as recipe_parameters,
    {{ list_value("'flip'") }} as edit_families,
    {{ absent_pair_columns(
        'image_c_id', 'asked_label', 'options', 'correct_answer', 'distractor_answers',
        'binding_a', 'binding_b', 'recipe_rle'
    ) }}
from candidates
