with
-- captions of a ring that have the same tokens have the same donors, but for their own pictures
ring as (
    select *, min(base_id) over (partition by ring, token_ids) as token_set_id
    from {{ ref('conflict_suite__hard_ring') }}
),

token_sets as (
    select * from ring
    where base_id = token_set_id
),

bases_without_donor as (
    select base_id
    from {{ ref('conflict_suite__hard_donors_farthest') }}
    where donor_distance is null
),

seekers as (
    select ring.*
    from ring
    inner join bases_without_donor using (base_id)
),

-- an empty token set shares the empty set with another: one entry of its own in the index
index_entries as (
    select
        token_sets.ring, token_sets.token_set_id, token_sets.own_bits, token_sets.shared_bits,
        token_sets.n_hidden_tokens, token_sets.least_shared, token_sets.least_seen,
        coalesce(ring_tokens.token_id, -1) as token_id
    from token_sets
    left join {{ ref('conflict_suite__hard_ring_tokens') }} as ring_tokens using (base_id)
),

sought_sets as (
    select distinct token_set_id, n_tokens from seekers
),

-- A donor shares at least conflict_suite_jaccard_min of a seeker's tokens, so it shares at least
-- one of those that are left when all but one of that many are taken away: the frequent ones are.
search_terms as (
    select
        index_entries.*,
        row_number() over (
            partition by sought_sets.token_set_id
            order by index_entries.token_id
        ) as frequency_rank,
        ceil({{ var('conflict_suite_jaccard_min') }} * sought_sets.n_tokens - 1e-6)
            as n_shared_at_least
    from sought_sets
    inner join index_entries on sought_sets.token_set_id = index_entries.token_set_id
),

-- most sets that share a term are told apart by their bits, and never stored as pairs
candidate_pairs as (
    select distinct seeker.token_set_id as seeker_set_id, candidate.token_set_id as candidate_set_id
    from search_terms as seeker
    inner join index_entries as candidate using (ring, token_id)
    where
        seeker.frequency_rank >= seeker.n_shared_at_least
        and {{ may_share_enough_tokens() }}
),

compared_sets as (
    select
        candidate_pairs.seeker_set_id, candidate_pairs.candidate_set_id,
        {{ list_intersect_size('seeker.token_ids', 'candidate.token_ids') }} as n_shared,
        seeker.n_tokens as n_of_seeker,
        candidate.n_tokens as n_of_candidate
    from candidate_pairs
    inner join token_sets as seeker on candidate_pairs.seeker_set_id = seeker.token_set_id
    inner join token_sets as candidate on candidate_pairs.candidate_set_id = candidate.token_set_id
),

similar_sets as (
    select * from compared_sets
    where {{ is_hard_donor() }}
),

nearest_donors as (
    select seeker.base_id, min({{ ring_distance() }}) as donor_distance
    from similar_sets
    inner join seekers as seeker on similar_sets.seeker_set_id = seeker.token_set_id
    inner join ring as candidate on similar_sets.candidate_set_id = candidate.token_set_id
    where {{ is_other_base() }}
    group by seeker.base_id
)

select seekers.base_id, nearest_donors.donor_distance
from seekers
left join nearest_donors using (base_id)
