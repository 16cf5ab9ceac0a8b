with
candidates as (
    select * from {{ ref('reality_check__counting_and_spurious_findings') }}
    where is_possible
),

count_levels as (select * from {{ ref('reality_check__count_levels') }}),

-- a ring for each label
ring_places as (
    select
        *,
        label as ring,
        row_number() over (
            partition by label
            order by
                {{ seeded_order(
                    'rc_ring', "'counting+spurious_correlation:' || image_id",
                    seed_var='reality_check_seed'
                ) }},
                image_id
        ) - 1 as ring_position,
        count(*) over (partition by label) as ring_size
    from candidates
),

seekers as (
    select * from ring_places
    where typicality = 'typical'
),

wishes as (
    select seekers.*, count_levels.count_b as partner_class
    from seekers
    inner join count_levels on seekers.n_objects = count_levels.count_a
),

partners as (
    select *, n_objects as partner_class
    from ring_places
    where typicality = 'atypical'
),

walks as (
    {{ two_walks('wishes', 'partners') }}
),

matches as (
    select
        'compound::counting+spurious_correlation::' || walks.image_id || '::' || walks.partner_id
            as pair_id,
        walks.image_id as image_a_id,
        walks.partner_id as image_b_id,
        seekers.combination, seekers.label, seekers.group_name, seekers.truth_source,
        seekers.scene as scene_a,
        partners.scene as scene_b,
        seekers.n_objects as count_a,
        partners.n_objects as count_b,
        count_levels.more, count_levels.fewer
    from walks
    inner join seekers using (image_id)
    inner join partners on walks.partner_id = partners.image_id
    inner join count_levels
        on
            seekers.n_objects = count_levels.count_a
            and partners.n_objects = count_levels.count_b
),

-- what the second scene suggests and neither picture has: a name that one of them bore out would
-- be no wrong answer, since the question is about both
foils as (
    {{ suggested_names('matches', ['image_a_id', 'image_b_id']) }}
)

-- a pair without another name to choose has no second question
select
    matches.pair_id, matches.combination, matches.image_a_id, matches.image_b_id,
    matches.label as asked_label,
    '{}' as slots,
    matches.more as first_right,
    matches.fewer as first_wrong,
    matches.label as second_right,
    foils.label as second_wrong,
    ', ' as answer_separator,
    {{ absent_pair_columns('binding_a', 'binding_b') }},
    {{ json_object(
        count_a='matches.count_a', count_b='matches.count_b', label='matches.label',
        scene_a='matches.scene_a', scene_b='matches.scene_b'
    ) }} as metadata,
    matches.truth_source,
    {{ absent_pair_columns(
        'recipe_family', 'recipe_parameters', 'recipe_rle', 'edit_families'
    ) }}
from matches
inner join foils on matches.pair_id = foils.pair_id and foils.place = 1
