with
candidates as (
    select * from {{ ref('reality_check__texture_and_scale_findings') }}
    where is_possible
),

crops as (
    select
        *,
        {{ json_object(
            height='crop_height', left='crop_left', top='crop_top', width='crop_width'
        ) }} as crop_parameters
    from candidates
)

-- the outline fills its picture before the crop comes closer
select
    crops.candidate_id as pair_id,
    crops.combination,
    crops.image_id as image_a_id,
    crops.image_id as image_b_id,
    texture_pairs.asked_label, '{}' as slots, 'Yes' as first_right, 'No' as first_wrong,
    'No' as second_right, 'Yes' as second_wrong, '; ' as answer_separator,
    {{ absent_pair_columns('binding_a', 'binding_b') }},
    {{ json_object(
        label='texture_pairs.asked_label',
        method=json_field('texture_pairs.metadata', "'method'"),
        zoom='round(crops.zoom, 2)'
    ) }} as metadata,
    texture_pairs.truth_source, 'chain' as recipe_family,
    '{"object_id":"' || {{ json_field('texture_pairs.recipe_parameters', "'object_id'") }}
    || '","steps":[{"family":"silhouette"},{"family":"zoom","parameters":'
    || crops.crop_parameters || '}]}' as recipe_parameters,
    texture_pairs.recipe_rle,
    {{ list_value("'silhouette'", "'zoom'") }} as edit_families
from crops
inner join {{ ref('reality_check__texture_pairs') }} as texture_pairs
    on crops.image_id = texture_pairs.image_a_id
