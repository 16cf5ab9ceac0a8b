-- two factors differ in a compound that is asked about, and both are meant to
with
pairs as (
    select * from {{ ref('reality_check__checked_pairs') }}
    where
        is_retained
        and bias_type = 'compound'
),

varying_factors as (
    select
        pairs.pair_id,
        sum(case when factors.policy = 'varies' and factors.is_varied then 1 else 0 end)
            as n_intended,
        sum(case when factors.policy = 'holds' and factors.is_varied then 1 else 0 end)
            as n_others
    from pairs
    left join {{ ref('reality_check__factors') }} as factors
        on pairs.pair_id = factors.pair_id
    group by pairs.pair_id
)

select * from varying_factors
where
    n_intended <> 2
    or n_others <> 0
