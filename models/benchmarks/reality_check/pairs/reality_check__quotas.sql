with
-- pairs of a bias, of which each asks its number of questions
bias_targets as (
    select
        *,
        cast(target as decimal(18, 6)) * {{ decimal_var('reality_check_scale') }}
        / questions_per_pair as n_pairs
    from {{ ref('reality_check_biases') }}
),

levels as (
    select bias_type, 'easy' as difficulty, 1 as level, n_pairs, n_pairs * easy_share as exact_quota
    from bias_targets
    union all
    select
        bias_type, 'medium' as difficulty, 2 as level, n_pairs,
        n_pairs * medium_share as exact_quota
    from bias_targets
    union all
    select bias_type, 'hard' as difficulty, 3 as level, n_pairs, n_pairs * hard_share as exact_quota
    from bias_targets
),

-- sums of products of doubles miss whole numbers by a little
rounded_levels as (
    select *, cast(round(exact_quota, 6) as decimal(18, 6)) as quota from levels
),

remainders as (
    select
        *,
        floor(quota) as whole_quota,
        row_number() over (
            partition by bias_type
            order by quota - floor(quota) desc, level
        ) as remainder_rank,
        round(n_pairs) - sum(floor(quota)) over (partition by bias_type) as n_missing
    from rounded_levels
),

bias_quotas as (
    select
        bias_type as combination,
        difficulty,
        cast(whole_quota as bigint)
        + case when remainder_rank <= n_missing then 1 else 0 end as n_wanted
    from remainders
),

supplies as (
    select combination, count(*) as n_ready
    from {{ ref('reality_check__compound_pairs') }}
    group by combination
),

targets as (
    select
        combinations.combination, combinations.position,
        cast(coalesce(supplies.n_ready, 0) as bigint) as n_ready,
        cast(round(
            cast(combinations.target as decimal(18, 6)) * {{ decimal_var('reality_check_scale') }}
        ) as bigint) as target
    from {{ ref('reality_check_compound_combinations') }} as combinations
    left join supplies using (combination)
),

-- no combination has more than its part of all, however short the others fall
rooms as (
    select
        *,
        greatest(least(
            n_ready,
            cast(floor(
                {{ rc_threshold('compound_largest_share') }} * sum(target) over ()
            ) as bigint)
        ) - target, 0) as room,
        sum(greatest(target - n_ready, 0)) over () as shortage
    from targets
),

-- the least room first: who has less than an even part of what is missing takes all it has
ranked_rooms as (
    select
        *,
        count(*) over () - row_number() over (order by room, position) + 1 as n_left,
        coalesce(sum(room) over (
            order by room, position
            rows between unbounded preceding and 1 preceding
        ), 0) as n_taken_before
    from rooms
),

filled_rooms as (
    select *, room * n_left <= shortage - n_taken_before as is_filled from ranked_rooms
),

-- the others share what is left, one more each in order while it does not come out even
shares as (
    select
        *,
        shortage - sum(case when is_filled then room else 0 end) over () as n_missing,
        sum(case when is_filled then 0 else 1 end) over () as n_sharing,
        row_number() over (partition by is_filled order by position) as turn
    from filled_rooms
),

compound_quotas as (
    select
        combination, n_ready, target,
        least(target, n_ready)
        + case
            when is_filled then room
            else
                floor(cast(n_missing as double) / n_sharing)
                + case when turn <= n_missing % n_sharing then 1 else 0 end
        end as n_wanted
    from shares
),

quotas as (
    select
        combination, difficulty, cast(null as bigint) as n_ready,
        n_wanted as n_targeted,
        n_wanted
    from bias_quotas
    union all
    select
        combination, 'hard' as difficulty,
        cast(n_ready as bigint) as n_ready,
        cast(target as bigint) as n_targeted,
        cast(n_wanted as bigint) as n_wanted
    from compound_quotas
)

select
    *,
    cast(ceil(n_wanted * (1 + {{ rc_threshold('reserve_share') }})) as bigint)
        as n_drawn
from quotas
