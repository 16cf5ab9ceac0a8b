with
bases as (
    select base_id, {{ unnest_list('noun_tokens') }} as token
    from {{ ref('conflict_suite__bases') }}
),

token_counts as (
    select token, count(*) as n_bases
    from bases
    group by token
),

placed_tokens as (
    {{ seeded_places('token_counts', 'token', 'token', partition_by=['n_bases']) }}
),

frequencies as (
    select distinct n_bases, n_places as n_tokens from placed_tokens
),

counted_frequencies as (
    select n_bases, sum(n_tokens) over (order by n_bases desc) - n_tokens as n_more_frequent
    from frequencies
),

-- the most frequent token has rank 0; the order of equally frequent ones is a seeded one
vocabulary as (
    select
        placed_tokens.token,
        cast(counted_frequencies.n_more_frequent + placed_tokens.seeded_place as bigint)
            as token_id
    from placed_tokens
    inner join counted_frequencies using (n_bases)
)

select bases.base_id, vocabulary.token_id
from bases
inner join vocabulary using (token)
