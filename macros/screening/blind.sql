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
    {%- set confidence = var('blind_drop_confidence') %}
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

fold_counts as (
    select
        word,
        fold,
        sum(case when direction = 1 then 1 else 0 end) as n_answerable,
        sum(case when direction = -1 then 1 else 0 end) as n_open
    from read_words
    group by word, fold
),

word_counts as (
    select
        word,
        sum(n_answerable) as n_answerable,
        sum(n_open) as n_open
    from fold_counts
    group by word
),

-- how often the other folds have a word on each side
taught_words as (
    select
        fold_counts.word,
        fold_counts.fold,
        word_counts.n_answerable - fold_counts.n_answerable as n_answerable,
        word_counts.n_open - fold_counts.n_open as n_open
    from fold_counts
    inner join word_counts
        on fold_counts.word = word_counts.word
),

word_weights as (
    select
        word,
        fold,
        cast(round(1000000 * ln(n_answerable + 1)) as bigint)
        - cast(round(1000000 * ln(n_open + 1)) as bigint) as weight
    from taught_words
    where
        (n_answerable - n_open) * (n_answerable - n_open)
        > {{ var('blind_least_chi_square') }} * (n_answerable + n_open)
),

told_words as (
    select
        read_words.pair_id,
        read_words.word,
        read_words.direction * word_weights.weight as weight
    from read_words
    inner join word_weights
        on
            read_words.word = word_weights.word
            and read_words.fold = word_weights.fold
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
