with
candidates as (
    select * from {{ ref('reality_check__spurious_correlation_findings') }}
    where is_possible
),

-- a ring for each label; any image of an unusual scene fits one of a usual scene
ring_places as (
    select
        *,
        label as ring,
        'any' as partner_class,
        row_number() over (
            partition by label
            order by
                {{ seeded_order(
                    'rc_ring', "'spurious_correlation:' || image_id", seed_var='reality_check_seed'
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

partners as (
    select * from ring_places
    where typicality = 'atypical'
),

walks as (
    {{ two_walks('seekers', 'partners') }}
),

matches as (
    select
        'spurious_correlation::' || walks.image_id || '::' || walks.partner_id as pair_id,
        walks.image_id as image_a_id,
        walks.partner_id as image_b_id,
        seekers.label, seekers.group_name, seekers.truth_source,
        seekers.scene as scene_a,
        partners.scene as scene_b,
        seekers.share as share_a,
        partners.share as share_b,
        seekers.area_fraction as area_a,
        partners.area_fraction as area_b
    from walks
    inner join seekers using (image_id)
    inner join partners on walks.partner_id = partners.image_id
),

-- other things of the group that the second scene suggests and the second image lacks
foils as (
    {{ suggested_names('matches', ['image_b_id']) }}
),

pair_foils as (
    select pair_id, {{ array_agg('label', order_by='place') }} as labels
    from foils
    where place <= {{ rc_threshold('spurious_foils') }}
    group by pair_id
)

select
    matches.pair_id, 'spurious_correlation' as bias_type,
    matches.image_a_id, matches.image_b_id,
    case
        when matches.area_b >= {{ rc_threshold('spurious_easy_area') }} then 'easy'
        when matches.area_b >= {{ rc_threshold('spurious_medium_area') }} then 'medium'
        else 'hard'
    end as difficulty,
    matches.label as asked_label,
    {{ json_object(supercategory='matches.group_name') }} as slots,
    matches.label as correct_answer,
    coalesce(pair_foils.labels, {{ empty_list('string') }}) as distractor_answers,
    {{ json_object(
        area_a='matches.area_a', area_b='matches.area_b', label='matches.label',
        scene_a='matches.scene_a', scene_b='matches.scene_b', share_a='matches.share_a',
        share_b='matches.share_b'
    ) }} as metadata,
    matches.truth_source,
    {{ absent_pair_columns(
        'image_c_id', 'options', 'binding_a', 'binding_b', 'recipe_family', 'recipe_parameters',
        'recipe_rle', 'edit_families'
    ) }}
from matches
left join pair_foils using (pair_id)
