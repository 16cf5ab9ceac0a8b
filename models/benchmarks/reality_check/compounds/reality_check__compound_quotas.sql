with

combinations as (

    select * from {{ ref('reality_check_compound_combinations') }}

),

compound_pairs as (

    select * from {{ ref('reality_check__compound_pairs') }}

),

supplies as (

    select
        combination,
        count(*) as n_ready
    from compound_pairs
    group by combination

),

targets as (

    select
        combinations.combination,
        combinations.position,
        cast(coalesce(supplies.n_ready, 0) as bigint) as n_ready,
        cast(round(
            cast(combinations.target as decimal(18, 6)) * {{ decimal_var('reality_check_scale') }}
        ) as bigint) as target
    from combinations
    left join supplies
        on combinations.combination = supplies.combination

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

    select
        *,
        room * n_left <= shortage - n_taken_before as is_filled
    from ranked_rooms

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

quotas as (

    select
        combination,
        n_ready,
        target,
        least(target, n_ready)
        + case
            when is_filled then room
            else
                floor(cast(n_missing as double) / n_sharing)
                + case when turn <= n_missing % n_sharing then 1 else 0 end
        end as n_wanted
    from shares

),

final as (

    select
        combination,
        'hard' as difficulty,
        cast(n_ready as bigint) as n_ready,
        cast(target as bigint) as n_targeted,
        cast(n_wanted as bigint) as n_wanted,
        cast(ceil(n_wanted * (1 + {{ rc_threshold('reserve_share') }})) as bigint)
            as n_drawn
    from quotas

)

select * from final
