with
candidates as (
    select * from {{ ref('reality_check__counting_findings') }}
    where is_possible
),

count_levels as (select * from {{ ref('reality_check__count_levels') }}),

-- a ring for each label and scene
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
    where side = 0
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
    where side = 1
),

walks as (
    {{ two_walks('wishes', 'partners') }}
),

matches as (
    select
        'counting::' || walks.image_id || '::' || walks.partner_id as pair_id,
        walks.image_id as image_a_id,
        walks.partner_id as image_b_id,
        seekers.label,
        coalesce(category_names.plural, seekers.label) as plural,
        seekers.scene, seekers.truth_source,
        seekers.wanted_difficulty as difficulty,
        seekers.n_objects as count_a,
        partners.n_objects as count_b,
        count_levels.more as correct_answer,
        count_levels.fewer as wrong_answer
    from walks
    inner join seekers using (image_id)
    inner join partners on walks.partner_id = partners.image_id
    inner join count_levels
        on
            seekers.n_objects = count_levels.count_a
            and partners.n_objects = count_levels.count_b
    left join {{ ref('reality_check_category_names') }} as category_names
        on seekers.label = category_names.label
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
