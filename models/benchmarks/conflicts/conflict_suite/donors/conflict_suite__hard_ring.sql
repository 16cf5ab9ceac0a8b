{%- set n_bits = 63 %}
with
bases as (select * from {{ ref('conflict_suite__bases') }}),

placed_bases as (
    {{ seeded_places(
        'bases', 'hard_donor', 'base_id', partition_by=['family', 'answer_type']
    ) }}
),

-- the most frequent tokens have a bit of their own, the others share the second bitmap
token_sets as (
    select
        base_id,
        {{ array_agg('token_id', order_by='token_id') }} as token_ids,
        count(*) as n_tokens,
        coalesce(
            bit_or(
                case
                    when token_id < {{ n_bits }}
                        then cast(1 as bigint) << cast(token_id as int)
                end
            ), 0
        ) as own_bits,
        coalesce(
            bit_or(
                case
                    when token_id >= {{ n_bits }}
                        then cast(1 as bigint) << cast(token_id % {{ n_bits }} as int)
                end
            ), 0
        ) as shared_bits
    from {{ ref('conflict_suite__hard_ring_tokens') }}
    group by base_id
),

sized_sets as (
    select
        *,
        n_tokens - bit_count(own_bits) - bit_count(shared_bits) as n_hidden_tokens,
        cast(n_tokens as double)
        * {{ var('conflict_suite_jaccard_min') }} / (1 + {{ var('conflict_suite_jaccard_min') }})
            as least_shared
    from token_sets
)

select
    placed_bases.base_id, placed_bases.question_id,
    placed_bases.family || '/' || placed_bases.answer_type as ring,
    placed_bases.image_id,
    -- one number per distinct caption text: comparing numbers is comparing texts
    min(placed_bases.question_id) over (partition by placed_bases.caption) as caption_key,
    placed_bases.seeded_place as ring_position,
    placed_bases.n_places as ring_size,
    coalesce(sized_sets.token_ids, {{ empty_list('bigint') }}) as token_ids,
    coalesce(sized_sets.n_tokens, 0) as n_tokens,
    coalesce(sized_sets.least_shared, 0) as least_shared,
    coalesce(sized_sets.least_shared - sized_sets.n_hidden_tokens, 0) as least_seen,
    coalesce(sized_sets.own_bits, 0) as own_bits,
    coalesce(sized_sets.shared_bits, 0) as shared_bits,
    coalesce(sized_sets.n_hidden_tokens, 0) as n_hidden_tokens
from placed_bases
left join sized_sets using (base_id)
-- a walk compares neighbours on a ring: they lie side by side
{{ stored_by(['ring', 'ring_position']) }}
