with

biases as (

    select * from {{ ref('reality_check_biases') }}

),

-- pairs of a bias, of which each asks its number of questions
bias_targets as (

    select
        *,
        cast(target as decimal(18, 6)) * {{ decimal_var('reality_check_scale') }}
        / questions_per_pair as n_pairs
    from biases

),

levels as (

    select
        bias_type,
        'easy' as difficulty,
        1 as level,
        n_pairs,
        n_pairs * easy_share as exact_quota
    from bias_targets
    union all
    select
        bias_type,
        'medium' as difficulty,
        2 as level,
        n_pairs,
        n_pairs * medium_share as exact_quota
    from bias_targets
    union all
    select
        bias_type,
        'hard' as difficulty,
        3 as level,
        n_pairs,
        n_pairs * hard_share as exact_quota
    from bias_targets

),

-- sums of products of doubles miss whole numbers by a little
rounded_levels as (

    select
        *,
        cast(round(exact_quota, 6) as decimal(18, 6)) as quota
    from levels

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

quotas as (

    select
        bias_type,
        difficulty,
        cast(whole_quota as bigint)
        + case when remainder_rank <= n_missing then 1 else 0 end as n_wanted
    from remainders

),

final as (

    select
        bias_type,
        difficulty,
        n_wanted,
        cast(ceil(n_wanted * (1 + {{ rc_threshold('reserve_share') }})) as bigint)
            as n_drawn
    from quotas

)

select * from final
