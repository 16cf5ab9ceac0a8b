with
candidates as (
    select * from {{ ref('reality_check__binding_and_text_findings') }}
    where is_possible
)

select
    'compound::' || candidates.combination || '::' || text_pairs.image_a_id
    || '::' || text_pairs.image_b_id as pair_id,
    candidates.combination, text_pairs.image_a_id, text_pairs.image_b_id,
    {{ absent_pair_columns('asked_label') }},
    binding_pairs.slots,
    binding_pairs.binding_a as first_right,
    binding_pairs.binding_b as first_wrong,
    'No' as second_right, 'Yes' as second_wrong, '; ' as answer_separator, binding_pairs.binding_a,
    binding_pairs.binding_b,
    '{"compositional_binding":' || binding_pairs.metadata
    || ',"text_in_image":' || text_pairs.metadata || '}' as metadata,
    binding_pairs.truth_source || '+' || text_pairs.truth_source as truth_source,
    {{ absent_pair_columns(
        'recipe_family', 'recipe_parameters', 'recipe_rle', 'edit_families'
    ) }}
from candidates
inner join {{ ref('reality_check__text_in_image_pairs') }} as text_pairs
    on candidates.image_id = text_pairs.image_a_id
inner join {{ ref('reality_check__compositional_binding_pairs') }} as binding_pairs
    on candidates.image_id = binding_pairs.image_a_id
