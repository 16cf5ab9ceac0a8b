with
candidates as (
    select * from {{ ref('reality_check__counting_findings') }}
    where is_possible
),

count_levels as (select * from {{ ref('reality_check__count_levels') }}),

-- a ring for each label and scene: two pictures of one scene are paired before others
ring_places as (
    select
        *,
        label || '|' || scene as ring,
        row_number() over (
            partition by label, scene
            order by
                {{ seeded_order(
                    'rc_ring', "'counting:' || image_id", seed_var='reality_check_seed'
                ) }},
                image_id
        ) - 1 as ring_position,
        count(*) over (partition by label, scene) as ring_size,
        {{ seeded_int('rc_side', "'counting:' || image_id", 2, seed_var='reality_check_seed') }}
            as side,
        {{ seeded_int(
            'rc_difficulty', "'counting:' || image_id", 10, seed_var='reality_check_seed'
        ) }} as tenth
    from candidates
),

-- two small numbers are never hard to compare
seekers as (
    select
        *,
        case
            when n_objects > {{ rc_threshold('subitizing_limit') }}
                then
                    case
                        when tenth < {{ rc_threshold('many_hard_tenths') }} then 'hard'
                        when tenth < {{ rc_threshold('many_medium_tenths') }} then 'medium'
                        else 'easy'
                    end
            when tenth < {{ rc_threshold('few_medium_tenths') }} then 'medium'
            else 'easy'
        end as wanted_difficulty
    from ring_places
    where side = 0 and scene <> 'unknown'
),

wishes as (
    select seekers.*, count_levels.count_b as partner_class
    from seekers
    inner join count_levels
        on
            seekers.n_objects = count_levels.count_a
            and seekers.wanted_difficulty = count_levels.difficulty
),

partners as (
    select *, n_objects as partner_class
    from ring_places
    where side = 1 and scene <> 'unknown'
),

walks as (
    {{ two_walks('wishes', 'partners') }}
),

paired_images as (
    select image_id from walks
    union all
    select partner_id as image_id from walks
),

-- who found nobody, by label from the fewest to the most
left_images as (
    select
        ring_places.image_id, ring_places.label, ring_places.n_objects,
        row_number() over (
            partition by ring_places.label
            order by
                ring_places.n_objects,
                {{ seeded_order(
                    'rc_ring', "'counting:' || ring_places.image_id",
                    seed_var='reality_check_seed'
                ) }},
                ring_places.image_id
        ) as place,
        cast(floor(count(*) over (partition by ring_places.label) / 2) as bigint) as n_half,
        count(*) over (partition by ring_places.label) as n_left
    from ring_places
    left join paired_images using (image_id)
    where paired_images.image_id is null
),

-- the first of those with few beside the first of those with many, and so on: as many pairs as
-- there can be
left_pairs as (
    select
        few.image_id as few_id,
        many.image_id as many_id,
        row_number() over (
            partition by count_levels.difficulty
            order by
                {{ seeded_order(
                    'rc_side', "few.image_id || ':' || many.image_id",
                    seed_var='reality_check_seed'
                ) }},
                few.image_id
        ) as turn
    from left_images as few
    inner join left_images as many
        on few.label = many.label and many.place = few.place + few.n_left - few.n_half
    inner join count_levels
        on few.n_objects = count_levels.count_a and many.n_objects = count_levels.count_b
    where few.place <= few.n_half
),

-- the one with more is A and B in turn
found_pairs as (
    select image_id as image_a_id, partner_id as image_b_id, true as is_of_one_scene from walks
    union all
    select
        case when turn % 2 = 1 then many_id else few_id end as image_a_id,
        case when turn % 2 = 1 then few_id else many_id end as image_b_id,
        false as is_of_one_scene
    from left_pairs
),

matches as (
    select
        'counting::' || found_pairs.image_a_id || '::' || found_pairs.image_b_id as pair_id,
        found_pairs.image_a_id, found_pairs.image_b_id, first_images.label,
        coalesce(category_names.plural, first_images.label) as plural,
        case when found_pairs.is_of_one_scene then first_images.scene end as scene,
        first_images.truth_source, count_levels.difficulty,
        first_images.n_objects as count_a,
        second_images.n_objects as count_b,
        count_levels.more as correct_answer,
        count_levels.fewer as wrong_answer
    from found_pairs
    inner join ring_places as first_images on found_pairs.image_a_id = first_images.image_id
    inner join ring_places as second_images on found_pairs.image_b_id = second_images.image_id
    inner join count_levels
        on
            first_images.n_objects = count_levels.count_a
            and second_images.n_objects = count_levels.count_b
    left join {{ ref('reality_check_category_names') }} as category_names
        on first_images.label = category_names.label
)

select
    pair_id, 'counting' as bias_type, image_a_id, image_b_id, difficulty,
    label as asked_label,
    {{ json_object(object_category='plural') }} as slots,
    correct_answer,
    {{ list_value('wrong_answer') }} as distractor_answers,
    {{ json_object(
        count_a='count_a', count_b='count_b', label='label', scene='scene'
    ) }} as metadata,
    truth_source,
    {{ absent_pair_columns(
        'image_c_id', 'options', 'binding_a', 'binding_b', 'recipe_family', 'recipe_parameters',
        'recipe_rle', 'edit_families'
    ) }}
from matches
