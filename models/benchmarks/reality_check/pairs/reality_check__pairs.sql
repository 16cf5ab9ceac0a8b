with

quotas as (

    select * from {{ ref('reality_check__quotas') }}

),

bias_pairs as (

    {{ union_of_biases('pairs', reality_check_pair_columns()) }}

),

ranked_pairs as (

    select
        *,
        row_number() over (
            partition by bias_type, difficulty
            order by
                {{ seeded_order('rc_draw', 'pair_id', seed_var='reality_check_seed') }},
                pair_id
        ) as draw_rank
    from bias_pairs

),

final as (

    select
        ranked_pairs.*,
        coalesce(quotas.n_wanted, 0) as n_wanted,
        ranked_pairs.draw_rank <= coalesce(quotas.n_drawn, 0) as is_drawn
    from ranked_pairs
    left join quotas
        on
            ranked_pairs.bias_type = quotas.bias_type
            and ranked_pairs.difficulty = quotas.difficulty

)

select * from final
