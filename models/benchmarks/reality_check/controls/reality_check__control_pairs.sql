{%- set window = var('reality_check_windows').control -%}
{#- neither picture shows the other's label, and their outlines are of different groups -#}
{%- set is_pair_of_another_label -%}
    candidate.outline <> seeker.outline
        and not array_contains(seeker.labels, candidate.asked_label)
        and not array_contains(candidate.labels, seeker.asked_label)
{%- endset -%}
with
pairs as (
    select * from {{ ref('reality_check__checked_pairs') }}
    where is_retained
),

control_kinds as (select * from {{ ref('reality_check_control_kinds') }}),

control_sizes as (
    select
        combination,
        cast(round(sum(n_wanted) * {{ rc_threshold('controls_share') }}) as bigint)
            as n_controls
    from {{ ref('reality_check__quotas') }}
    group by combination
),

-- a ring for each bias; what looks like another in outline is not told apart from it
ring_places as (
    select
        pairs.pair_id as base_id,
        pairs.combination as ring,
        pairs.asked_label,
        coalesce(measurements.labels, {{ empty_list('string') }}) as labels,
        coalesce(silhouette_groups.silhouette_group, pairs.asked_label) as outline,
        row_number() over (
            partition by pairs.combination
            order by
                {{ seeded_order('rc_control', 'pairs.pair_id', seed_var='reality_check_seed') }},
                pairs.pair_id
        ) - 1 as ring_position,
        count(*) over (partition by pairs.combination) as ring_size
    from pairs
    left join {{ ref('reality_check__measurements') }} as measurements
        on pairs.image_a_id = measurements.image_id
    left join {{ ref('reality_check_silhouette_groups') }} as silhouette_groups
        on pairs.asked_label = silhouette_groups.label
),

relabelled_combinations as (
    select distinct combination
    from control_kinds
    where second_picture = 'another_label'
),

labelled_places as (
    select ring_places.*
    from ring_places
    inner join relabelled_combinations on ring_places.ring = relabelled_combinations.combination
),

-- the next pair whose object is of another label, neither of which the other picture shows
finds as (
    {{ walk_ring('labelled_places', none, window, is_pair_of_another_label) }}
),

other_pairs as (
    select labelled_places.base_id as pair_id, found_places.base_id as other_pair_id
    from labelled_places
    inner join finds using (base_id)
    inner join labelled_places as found_places
        on
            labelled_places.ring = found_places.ring
            and (labelled_places.ring_position + finds.donor_distance) % labelled_places.ring_size
            = found_places.ring_position
),

-- a control keeps the photograph of a pair that is asked about, and its question
possible_controls as (
    select
        pairs.pair_id, other_pairs.other_pair_id, pairs.combination, control_kinds.question_role,
        control_kinds.control_name, control_kinds.first_picture, control_kinds.second_picture,
        coalesce(control_kinds.first_answer, pairs.binding_a) as first_right,
        case control_kinds.first_answer
            when 'Yes' then 'No'
            when 'No' then 'Yes'
            else pairs.binding_b
        end as first_wrong,
        control_kinds.second_answer,
        row_number() over (
            partition by
                pairs.combination, control_kinds.question_role, control_kinds.first_picture,
                control_kinds.second_picture
            order by ring_places.ring_position
        ) as place
    from pairs
    inner join control_kinds using (combination)
    inner join ring_places on pairs.pair_id = ring_places.base_id
    left join other_pairs
        on
            pairs.pair_id = other_pairs.pair_id
            and control_kinds.second_picture = 'another_label'
    where
        control_kinds.second_picture <> 'another_label'
        or other_pairs.other_pair_id is not null
),

named_controls as (
    select
        possible_controls.*,
        case
            when combinations.questions_per_pair > 1
                then possible_controls.pair_id || '::' || possible_controls.question_role
            else possible_controls.pair_id
        end as control_of
    from possible_controls
    inner join control_sizes using (combination)
    inner join {{ ref('reality_check__combinations') }} as combinations using (combination)
    where possible_controls.place <= control_sizes.n_controls
)

select
    'control::' || control_of || coalesce('::' || control_name, '') as control_id,
    control_of, pair_id, other_pair_id, combination, question_role, first_picture, second_picture,
    first_right, first_wrong,
    second_answer as second_right,
    case second_answer when 'Yes' then 'No' when 'No' then 'Yes' end as second_wrong
from named_controls
