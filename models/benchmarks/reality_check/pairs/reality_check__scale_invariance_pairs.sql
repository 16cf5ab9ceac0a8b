with
candidates as (
    select * from {{ ref('reality_check__scale_invariance_findings') }}
    where is_possible
)

select
    candidate_id as pair_id,
    bias_type,
    image_id as image_a_id,
    image_id as image_b_id,
    difficulty,
    label as asked_label,
    '{}' as slots,
    {{ json_object(label='label', zoom='zoom') }} as metadata,
    truth_source, 'zoom' as recipe_family,
    {{ json_object(
        height='crop_height', left='crop_left', top='crop_top', width='crop_width'
    ) }} as recipe_parameters,
    {{ list_value("'zoom'") }} as edit_families,
    {{ absent_pair_columns(
        'image_c_id', 'options', 'correct_answer', 'distractor_answers', 'binding_a',
        'binding_b', 'recipe_rle'
    ) }}
from candidates
