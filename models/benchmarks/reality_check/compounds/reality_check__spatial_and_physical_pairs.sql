with
candidates as (
    select * from {{ ref('reality_check__spatial_and_physical_findings') }}
    where is_possible
)

-- the shadow turns first, where its region was found, and the picture flips afterwards
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
from candidates
inner join {{ ref('reality_check__spatial_relations_pairs') }} as spatial_pairs
    on candidates.image_id = spatial_pairs.image_a_id
inner join {{ ref('reality_check__physical_plausibility_pairs') }} as physical_pairs
    on candidates.image_id = physical_pairs.image_a_id
