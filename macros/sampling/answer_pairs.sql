{#-
    As many pairs as there can be of rows of `relation` that are asked the same, equal in the columns
    `asked`, and have different answers: one row `first_key, second_key` a pair, a key in one pair at
    most. The rows of a question stand on a ring, by seed within an answer, the answers behind one
    another and the most frequent first; each row of the first half goes with the one half a ring
    farther on, or, where one answer has more than half, with the one that many places farther on.
-#}
{% macro answer_pairs(relation, purpose, key, asked, answer, seed_var='seed') -%}
    {%- set question = asked | join(', ') %}
    with
    answers as (
        select
            {{ question }},
            {{ key }} as pair_key,
            {{ answer }} as answer,
            count(*) over (partition by {{ question }}) as n_asked,
            count(*) over (partition by {{ question }}, {{ answer }}) as n_alike
        from {{ relation }}
    ),

    ring_places as (
        select
            *,
            max(n_alike) over (partition by {{ question }}) as n_most,
            {{ integer_division('n_asked', 2) }} as n_half,
            row_number() over (
                partition by {{ question }}
                order by
                    n_alike desc, answer asc, {{ seeded_order(purpose, 'pair_key', seed_var) }} asc,
                    pair_key asc
            ) - 1 as ring_place
        from answers
    )

    select
        first_rows.pair_key as first_key,
        second_rows.pair_key as second_key
    from ring_places as first_rows
    inner join ring_places as second_rows using ({{ question }})
    where
        first_rows.ring_place
        < least(first_rows.n_half, first_rows.n_asked - first_rows.n_most)
        and second_rows.ring_place
        = first_rows.ring_place + greatest(first_rows.n_half, first_rows.n_most)
{%- endmacro %}
