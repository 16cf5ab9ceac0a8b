-- of the pairs whose pictures differ in number as many are drawn of which the first has more as of
-- which the second has, or all that there are
with
counted_pairs as (
    select
        combination,
        difficulty,
        is_drawn,
        {{ try_cast_bigint(json_field('metadata', "'count_a'")) }}
        > {{ try_cast_bigint(json_field('metadata', "'count_b'")) }} as is_more_in_a
    from {{ ref('reality_check__pairs') }}
    where combination in ('counting', 'counting+spurious_correlation')
),

levels as (
    select
        combination,
        difficulty,
        sum(case when is_more_in_a then 1 else 0 end) as n_a,
        sum(case when is_more_in_a then 0 else 1 end) as n_b,
        sum(case when is_more_in_a and is_drawn then 1 else 0 end) as n_drawn_a,
        sum(case when not is_more_in_a and is_drawn then 1 else 0 end) as n_drawn_b
    from counted_pairs
    group by combination, difficulty
)

select *
from levels
where
    (n_drawn_a - n_drawn_b > 1 and n_drawn_b < n_b)
    or (n_drawn_b - n_drawn_a > 1 and n_drawn_a < n_a)
