{%- set split_key -%}
    coalesce('group-' || statements.split_group, candidates.source_image_id)
{%- endset -%}
{%- set place = seeded_int('uncertainty_split', split_key, 10000) -%}
{%- set neighbours -%}
    {{ list_extract('words', 'place') }} || ' ' || {{ list_extract('words', 'place + 1') }}
{%- endset -%}
{%- set n_neighbours %}{{ list_length('words') }} - 1{% endset -%}
with
draw as (select * from {{ ref('certainly_uncertain__draw') }}),
candidates as (select * from {{ ref('certainly_uncertain__pair_candidates') }}),

-- pairs of two questions that would be tested
pairs as (
    select candidates.*
    from candidates
    inner join draw on candidates.pair_id = draw.candidate_id
    left join {{ ref('images__own_statements') }} as statements
        on candidates.source_image_id = statements.source_image_id
    where
        draw.passes_draw
        and candidates.source = 'caption'
        and not candidates.stem_is_one_sided
        and candidates.answerable_question <> candidates.unanswerable_question
        and {{ place }} < 10000 * {{ threshold('certainly_uncertain', 'test_share') }}
),

sides as (
    select pair_id, 1 as direction, {{ tokens('answerable_question') }} as words
    from pairs
    union all
    select
        pair_id,
        -1 as direction,
        {{ tokens('unanswerable_question') }} as words
    from pairs
),

-- each word and pair of neighbouring words once a question
words as (
    select distinct pair_id, direction, {{ unnest_list('words') }} as word
    from sides
    union
    select distinct
        pair_id, direction,
        {{ unnest_list(list_transform(
            integer_series(1, n_neighbours), 'place', neighbours
        )) }} as word
    from sides
    where {{ list_length('words') }} > 1
),

-- what both questions have tells nothing
telling_words as {{ computed_once() }} (
    select pair_id, word, min(direction) as direction
    from words
    group by pair_id, word
    having count(*) = 1
),

-- three readings, each in folds of its own and of the pairs that those before it did not guess
first_guesses as {{ computed_once() }} (
    {{ guessed_pairs('telling_words', []) }}
),

second_guesses as {{ computed_once() }} (
    {{ guessed_pairs('telling_words', ['first_guesses']) }}
),

third_guesses as (
    {{ guessed_pairs('telling_words', ['first_guesses', 'second_guesses']) }}
),

guessed_pairs as (
    select * from first_guesses
    union all
    select * from second_guesses
    union all
    select * from third_guesses
)

select
    draw.candidate_id,
    -- a reader who sees no picture does not tell the open question from the other
    guessed_pairs.pair_id is null as passes_guessed,
    {{ array_join('guessed_pairs.telltale_words', "', '") }} as guessed_detail
from draw
left join guessed_pairs on draw.candidate_id = guessed_pairs.pair_id
