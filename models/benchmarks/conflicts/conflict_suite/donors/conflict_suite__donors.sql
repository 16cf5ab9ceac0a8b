with
easy_ring as (select * from {{ ref('conflict_suite__easy_ring') }}),
hard_ring as (select * from {{ ref('conflict_suite__hard_ring') }}),

nearby_easy_donors as {{ computed_once() }} (
    {{ walk_ring(
        ref('conflict_suite__easy_ring'), none, var('conflict_suite_donor_windows').easy,
        is_other_base()
    ) }}
),

-- the whole ring: seekers come here only where one picture or text fills most of a corpus
farther_easy_donors as (
    {{ walk_ring(
        ref('conflict_suite__easy_ring'), 'nearby_easy_donors', none, is_other_base()
    ) }}
),

easy_distances as (
    select * from nearby_easy_donors
    where donor_distance is not null
    union all
    select * from farther_easy_donors
    where donor_distance is not null
),

hard_distances as (
    select * from {{ ref('conflict_suite__hard_donors_nearby') }}
    where donor_distance is not null
    union all
    select * from {{ ref('conflict_suite__hard_donors_farther') }}
    where donor_distance is not null
    union all
    select * from {{ ref('conflict_suite__hard_donors_farthest') }}
    where donor_distance is not null
    union all
    select * from {{ ref('conflict_suite__hard_donors_anywhere') }}
    where donor_distance is not null
),

-- Ring and position are one key: of two, DuckDB may join by the ring alone, whose pairs grow with
-- its square.
easy_donor_places as (
    select
        seeker.base_id,
        seeker.ring || '/' || cast(
            (seeker.ring_position + easy_distances.donor_distance) % seeker.ring_size
            as string
        ) as place,
        easy_distances.donor_distance
    from easy_distances
    inner join easy_ring as seeker using (base_id)
),

easy_places as (
    select base_id, ring || '/' || cast(ring_position as string) as place from easy_ring
),

easy_donors as (
    select
        easy_donor_places.base_id,
        easy_places.base_id as donor_base_id,
        easy_donor_places.donor_distance
    from easy_donor_places
    inner join easy_places using (place)
),

hard_donor_places as (
    select
        seeker.base_id,
        seeker.ring || '/' || cast(
            (seeker.ring_position + hard_distances.donor_distance) % seeker.ring_size
            as string
        ) as place,
        hard_distances.donor_distance
    from hard_distances
    inner join hard_ring as seeker using (base_id)
),

hard_places as (
    select base_id, ring || '/' || cast(ring_position as string) as place from hard_ring
),

hard_donors as (
    select
        hard_donor_places.base_id,
        hard_places.base_id as donor_base_id,
        hard_donor_places.donor_distance
    from hard_donor_places
    inner join hard_places using (place)
),

-- a base without a hard donor on its ring takes its easy donor for the hard swap, too
chosen_donors as (
    select
        easy_ring.base_id,
        easy_donors.donor_base_id as easy_donor_base_id,
        coalesce(hard_donors.donor_base_id, easy_donors.donor_base_id) as hard_donor_base_id,
        easy_donors.donor_distance as easy_donor_distance,
        hard_donors.donor_distance as hard_donor_distance,
        hard_donors.donor_base_id is not null as hard_swap_flag
    from easy_ring
    left join easy_donors using (base_id)
    left join hard_donors using (base_id)
)

select
    chosen_donors.base_id, chosen_donors.easy_donor_base_id, chosen_donors.hard_donor_base_id,
    chosen_donors.easy_donor_distance, chosen_donors.hard_donor_distance,
    {{ list_intersect_size('seeker.token_ids', 'donor.token_ids') }} as n_shared_tokens,
    {{ jaccard(
        list_intersect_size('seeker.token_ids', 'donor.token_ids'), 'seeker.n_tokens', 'donor.n_tokens'
    ) }} as hard_donor_jaccard,
    chosen_donors.hard_swap_flag
from chosen_donors
inner join hard_ring as seeker using (base_id)
left join hard_ring as donor on chosen_donors.hard_donor_base_id = donor.base_id
