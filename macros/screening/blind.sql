{#-
    The query of the pairs whose two questions alone tell which of them is open, with the words that
    tell most.

    words: relation of pair_id, word and direction, each word of the answerable question with 1 and
        of the open one with -1. A word that both have tells nothing, so one question asked of two
        pictures has no row
    earlier_rounds: the guesses of the rounds before, whose pairs are read no more

    Each round reads in folds of its own: a word weighs what the pairs of the other folds teach,
    smoothed by one, and is heard above the chi-square `blind_least_chi_square`. A pair is guessed
    where the reader gives the right side more than `blind_drop_confidence`. Logarithms are whole
    millionths, so that the order of a sum decides nothing.
-#}
{% macro guessed_pairs(words, earlier_rounds) -%}
    {%- set round = earlier_rounds | length + 1 %}
    {%- set confidence = threshold('shared', 'blind_drop_confidence') %}
with
read_words as (
    select
        pair_id,
        word,
        direction,
        {{ seeded_int('blind_drop_' ~ round, 'pair_id', var('blind_folds')) }} as fold
    from {{ words }}
    {%- for earlier_round in earlier_rounds %}
    {{ 'where' if loop.first else 'and' }} pair_id not in (select earlier.pair_id from {{ earlier_round }} as earlier)
    {%- endfor %}
),

-- how often the other folds have a word on each side
taught_words as (
    select
        pair_id,
        word,
        direction,
        {%- for side, times in [(1, 'n_answerable'), (-1, 'n_open')] %}
        {%- set is_of_side %}case when direction = {{ side }} then 1 else 0 end{% endset %}
        sum({{ is_of_side }}) over (partition by word)
        - sum({{ is_of_side }}) over (partition by word, fold) as {{ times }}{{ '' if loop.last else ',' }}
        {%- endfor %}
    from read_words
),

told_words as (
    select
        pair_id,
        word,
        direction * (
            cast(round(1000000 * ln(n_answerable + 1)) as bigint)
            - cast(round(1000000 * ln(n_open + 1)) as bigint)
        ) as weight
    from taught_words
    where
        (n_answerable - n_open) * (n_answerable - n_open)
        > {{ threshold('shared', 'blind_least_chi_square') }} * (n_answerable + n_open)
)

select
    pair_id,
    {{ first_values_by('word', struct_pack(rank='-weight', word='word'), 3) }}
        as telltale_words
from told_words
group by pair_id
having
    sum(weight)
    > round(1000000 * ln(cast({{ confidence }} as double) / (1 - {{ confidence }})))
{%- endmacro %}
