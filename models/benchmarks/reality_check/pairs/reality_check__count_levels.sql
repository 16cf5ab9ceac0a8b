{%- set most_counted %}cast({{ rc_threshold('most_counted') }} as bigint){% endset -%}
with
numbers as (
    select {{ unnest_list(integer_series(1, most_counted)) }} as n_objects
),

number_pairs as (
    select
        first_numbers.n_objects as count_a,
        second_numbers.n_objects as count_b,
        abs(first_numbers.n_objects - second_numbers.n_objects) as gap
    from numbers as first_numbers
    cross join numbers as second_numbers
),

levels as (
    select
        *,
        case
            when gap >= {{ rc_threshold('count_gap_easy') }} then 'easy'
            when gap >= {{ rc_threshold('count_gap_least') }} then 'medium'
            when gap = 1 and least(count_a, count_b) > {{ rc_threshold('subitizing_limit') }}
                then 'hard'
        end as difficulty
    from number_pairs
)

select
    count_a, count_b, difficulty,
    case when count_a > count_b then 'A' else 'B' end as more,
    case when count_a > count_b then 'B' else 'A' end as fewer
from levels
where difficulty is not null
