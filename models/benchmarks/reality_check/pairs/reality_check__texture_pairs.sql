with
candidates as (
    select * from {{ ref('reality_check__texture_findings') }}
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
    {{ json_object(label='label', method='method') }} as metadata,
    truth_source, 'silhouette' as recipe_family,
    {{ json_object(method='method', object_id='object_id') }} as recipe_parameters,
    outline_rle as recipe_rle,
    {{ list_value("'silhouette'") }} as edit_families,
    {{ absent_pair_columns(
        'image_c_id', 'options', 'correct_answer', 'distractor_answers', 'binding_a',
        'binding_b'
    ) }}
from candidates
