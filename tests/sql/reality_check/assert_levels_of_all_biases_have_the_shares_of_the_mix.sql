-- each bias has shares of its own; on average they are those of the whole
with
mean_shares as (
    select
        avg(easy_share) as easy_share,
        avg(medium_share) as medium_share,
        avg(hard_share) as hard_share
    from {{ ref('reality_check_biases') }}
)

select * from mean_shares
where
    abs(easy_share - {{ var('reality_check_mix').easy }})
    > {{ rc_threshold('difficulty_tolerance') }}
    or abs(medium_share - {{ var('reality_check_mix').medium }})
    > {{ rc_threshold('difficulty_tolerance') }}
    or abs(hard_share - {{ var('reality_check_mix').hard }})
    > {{ rc_threshold('difficulty_tolerance') }}
