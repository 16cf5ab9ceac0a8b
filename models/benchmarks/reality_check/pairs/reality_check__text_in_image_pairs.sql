{%- set window = var('reality_check_windows').text -%}
{#- another name, pictures that look alike and show alike things, and places that lie apart -#}
{%- set is_text_of_another_place -%}
    candidate.side = 1
        and {{ list_intersect_size('seeker.names', 'candidate.names') }} = 0
        and {{ hash_distance('seeker.perceptual_hash', 'candidate.perceptual_hash') }}
        between {{ threshold('shared', 'duplicate_distance') }}
        and {{ rc_threshold('similar_hash_distance') }}
        and {{ jaccard(
            list_intersect_size('seeker.labels', 'candidate.labels'),
            list_length('seeker.labels'), list_length('candidate.labels')
        ) }} >= {{ rc_threshold('similar_labels') }}
        and {{ meters_between(
            'seeker.latitude', 'seeker.longitude', 'candidate.latitude', 'candidate.longitude'
        ) }} > {{ rc_threshold('least_meters_apart') }}
{%- endset -%}
with
candidates as (
    select * from {{ ref('reality_check__text_in_image_findings') }}
    where is_possible
),

-- a ring for each scene; two texts of one street corner have two names, so a picture whose place
-- is not known can be in no pair
ring_places as (
    select
        *,
        image_id as base_id,
        scene as ring,
        row_number() over (
            partition by scene
            order by
                {{ seeded_order(
                    'rc_ring', "'text_in_image:' || image_id", seed_var='reality_check_seed'
                ) }},
                image_id
        ) - 1 as ring_position,
        count(*) over (partition by scene) as ring_size,
        {{ seeded_int(
            'rc_side', "'text_in_image:' || image_id", 2, seed_var='reality_check_seed'
        ) }} as side
    from candidates
    where latitude is not null and longitude is not null
),

ring_seekers as (
    select * from ring_places
    where side = 0
),

first_finds as (
    {{ walk_ring(
        'ring_places', none, window, is_text_of_another_place, seekers='ring_seekers'
    ) }}
),

first_walk as (
    {{ nearest_finds('first_finds', 'ring_places') }}
),

second_places as (
    select ring_places.*
    from ring_places
    left join first_walk as walked_seekers using (image_id)
    left join first_walk as walked_partners on ring_places.image_id = walked_partners.partner_id
    where walked_seekers.image_id is null and walked_partners.partner_id is null
),

second_seekers as (
    select * from second_places
    where side = 0
),

second_finds as (
    {{ walk_ring(
        'second_places', none, window, is_text_of_another_place, seekers='second_seekers'
    ) }}
),

second_walk as (
    {{ nearest_finds('second_finds', 'ring_places') }}
),

walks as (
    select * from first_walk
    union all
    select * from second_walk
),

matches as (
    select
        'text_in_image::' || walks.image_id || '::' || walks.partner_id as pair_id,
        walks.image_id as image_a_id,
        walks.partner_id as image_b_id,
        seekers.scene,
        seekers.names as names_a,
        partners.names as names_b,
        least(seekers.text_height, partners.text_height) as text_height,
        {{ hash_distance('seekers.perceptual_hash', 'partners.perceptual_hash') }} as hash_distance,
        round({{ meters_between(
            'seekers.latitude', 'seekers.longitude', 'partners.latitude', 'partners.longitude'
        ) }}) as meters_apart
    from walks
    inner join ring_places as seekers on walks.image_id = seekers.image_id
    inner join ring_places as partners on walks.partner_id = partners.image_id
)

select
    pair_id, 'text_in_image' as bias_type,
    image_a_id, image_b_id,
    case
        when text_height >= {{ rc_threshold('text_easy_height') }} then 'easy'
        when text_height >= {{ rc_threshold('text_medium_height') }} then 'medium'
        else 'hard'
    end as difficulty,
    '{}' as slots,
    {{ json_object(
        hash_distance='hash_distance', meters_apart='meters_apart', names_a='names_a',
        names_b='names_b', scene='scene', text_height='text_height'
    ) }} as metadata,
    'ocr' as truth_source,
    {{ absent_pair_columns(
        'image_c_id', 'asked_label', 'options', 'correct_answer', 'distractor_answers',
        'binding_a', 'binding_b', 'recipe_family', 'recipe_parameters', 'recipe_rle',
        'edit_families'
    ) }}
from matches
