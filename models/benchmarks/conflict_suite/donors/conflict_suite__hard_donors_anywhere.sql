with

ring as (

    select * from {{ ref('conflict_suite__hard_ring') }}

),

ring_tokens as (

    select * from {{ ref('conflict_suite__hard_ring_tokens') }}

),

bases_without_donor as (

    select base_id
    from {{ ref('conflict_suite__hard_donors_farthest') }}
    where donor_distance is null

),

seekers as (

    select ring.*
    from ring
    inner join bases_without_donor
        on ring.base_id = bases_without_donor.base_id

),

-- an empty token set shares the empty set with another: one entry of its own in the index
index_entries as (

    select
        ring.ring,
        ring.base_id,
        coalesce(ring_tokens.token_id, -1) as token_id
    from ring
    left join ring_tokens
        on ring.base_id = ring_tokens.base_id

),

-- A donor shares at least conflict_suite_jaccard_min of a seeker's tokens, so it shares at least
-- one of those that are left when all but one of that many are taken away: the frequent ones are.
search_terms as (

    select
        seekers.base_id,
        index_entries.token_id,
        row_number() over (partition by seekers.base_id order by index_entries.token_id)
            as frequency_rank,
        ceil({{ var('conflict_suite_jaccard_min') }} * seekers.n_tokens - 1e-6) as n_shared_at_least
    from seekers
    inner join index_entries
        on seekers.base_id = index_entries.base_id

),

candidate_pairs as (

    select distinct
        seekers.base_id as seeker_base_id,
        index_entries.base_id as candidate_base_id
    from search_terms
    inner join seekers
        on search_terms.base_id = seekers.base_id
    inner join index_entries
        on
            seekers.ring = index_entries.ring
            and search_terms.token_id = index_entries.token_id
    where search_terms.frequency_rank >= search_terms.n_shared_at_least

),

nearest_donors as (

    select
        seeker.base_id,
        min(
            (candidate.ring_position - seeker.ring_position + seeker.ring_size)
            % seeker.ring_size
        ) as donor_distance
    from candidate_pairs
    inner join seekers as seeker
        on candidate_pairs.seeker_base_id = seeker.base_id
    inner join ring as candidate
        on candidate_pairs.candidate_base_id = candidate.base_id
    where
        {{ may_be_hard_donor() }}
        and {{ is_hard_donor() }}
    group by seeker.base_id

),

final as (

    select
        seekers.base_id,
        nearest_donors.donor_distance
    from seekers
    left join nearest_donors
        on seekers.base_id = nearest_donors.base_id

)

select * from final
