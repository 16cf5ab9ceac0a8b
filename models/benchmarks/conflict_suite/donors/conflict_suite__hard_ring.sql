{%- set n_bits = 63 %}
{%- set shared_position %}token_id % {{ n_bits }}{% endset %}

with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

-- the most frequent tokens have a bit of their own, the others share the second bitmap
token_sets as (

    select
        base_id,
        {{ array_agg('token_id', order_by='token_id') }} as token_ids,
        count(*) as n_tokens,
        coalesce(
            bit_or(case when token_id < {{ n_bits }} then {{ bit_at('token_id') }} end), 0
        ) as own_bits,
        coalesce(
            bit_or(
                case when token_id >= {{ n_bits }} then {{ bit_at(shared_position) }} end
            ), 0
        ) as shared_bits
    from {{ ref('conflict_suite__hard_ring_tokens') }}
    group by base_id

),

final as (

    select
        bases.base_id,
        bases.family || '/' || bases.answer_type as ring,
        bases.image_id,
        -- one number per distinct caption text: comparing numbers is comparing texts
        min(bases.question_id) over (partition by bases.caption) as caption_key,
        row_number() over (
            partition by bases.family, bases.answer_type
            order by {{ seeded_order('hard_donor', 'bases.base_id') }}, bases.base_id
        ) - 1 as ring_position,
        count(*) over (partition by bases.family, bases.answer_type) as ring_size,
        coalesce(token_sets.token_ids, {{ empty_list('bigint') }}) as token_ids,
        coalesce(token_sets.n_tokens, 0) as n_tokens,
        cast(coalesce(token_sets.n_tokens, 0) as double)
        * {{ var('conflict_suite_jaccard_min') }} / (1 + {{ var('conflict_suite_jaccard_min') }})
            as least_shared,
        coalesce(token_sets.own_bits, 0) as own_bits,
        coalesce(token_sets.shared_bits, 0) as shared_bits,
        coalesce(
            token_sets.n_tokens - bit_count(token_sets.own_bits)
            - bit_count(token_sets.shared_bits),
            0
        ) as n_hidden_tokens
    from bases
    left join token_sets
        on bases.base_id = token_sets.base_id

)

select * from final
