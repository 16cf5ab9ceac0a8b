{#- the pairs of these biases are in one model, those of another in one of its own -#}
{%- set edited = ['texture', 'spatial_relations', 'physical_plausibility', 'scale_invariance'] -%}
{%- set models = ['edited'] + var('reality_check_biases') | reject('in', edited) | list -%}
with
quotas as (select * from {{ ref('reality_check__quotas') }}),

bias_pairs as (
    {{ union_of_biases(models, 'pairs', reality_check_pair_columns()) }}
),

pairs as (
    select
        {{ reality_check_pair_columns() | join(',\n        ') }},
        bias_type as combination,
        cast(null as string) as expected_failure_mode
    from bias_pairs
    where bias_type in ({{ text_literals(var('reality_check_biases')) }})
    union all
    select
        {{ reality_check_pair_columns() | join(',\n        ') }},
        combination, expected_failure_mode
    from {{ ref('reality_check__compound_pairs') }}
),

-- which of two pictures has more, also where that is the first part of an option's text
{%- set right_text -%}
    coalesce({{ option_text('options', 'correct_answer') }}, correct_answer || ', ')
{%- endset %}
lettered_pairs as (
    select
        *,
        case
            when {{ regexp_matches(right_text, '^[AB], ') }} then substr({{ right_text }}, 1, 1)
        end as larger_letter,
        -- of counting, pairs of one scene are drawn before those found by numbers alone
        case when {{ json_field('metadata', "'scene'") }} is null then 1 else 0 end as draw_turn
    from pairs
),

placed_pairs as (
    select
        *,
        case
            when larger_letter is null then 1
            else
                row_number() over (
                    partition by combination, difficulty, larger_letter
                    order by
                        draw_turn,
                        {{ seeded_order('rc_draw', 'pair_id', seed_var='reality_check_seed') }},
                        pair_id
                )
        end as place_in_letter
    from lettered_pairs
),

-- A and B in turn, so that neither letter is right more often
ranked_pairs as (
    select
        {{ reality_check_pair_columns() | join(',\n        ') }},
        combination, expected_failure_mode,
        row_number() over (
            partition by combination, difficulty
            order by
                draw_turn,
                place_in_letter,
                {{ seeded_order('rc_draw', 'pair_id', seed_var='reality_check_seed') }},
                pair_id
        ) as draw_rank
    from placed_pairs
)

select
    ranked_pairs.*,
    coalesce(quotas.n_wanted, 0) as n_wanted,
    ranked_pairs.draw_rank <= coalesce(quotas.n_drawn, 0) as is_drawn
from ranked_pairs
left join quotas using (combination, difficulty)
