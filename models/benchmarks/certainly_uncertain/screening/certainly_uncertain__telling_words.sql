{%- set place = seeded_int('uncertainty_split', 'pairs.source_image_id', 10000) -%}
{%- set neighbours -%}
    {{ list_extract('words', 'place') }} || ' ' || {{ list_extract('words', 'place + 1') }}
{%- endset -%}
{%- set n_neighbours %}{{ list_length('words') }} - 1{% endset -%}
with

draw as (

    select * from {{ ref('certainly_uncertain__draw') }}
    where passes_draw

),

-- pairs that would be tested
pairs as (

    select * from {{ ref('certainly_uncertain__pair_candidates') }}
    where source = 'caption' and not stem_is_one_sided

),

sides as (

    select
        pairs.pair_id,
        1 as direction,
        {{ tokens('pairs.answerable_question') }} as words
    from pairs
    inner join draw
        on pairs.pair_id = draw.candidate_id
    where
        pairs.answerable_question <> pairs.unanswerable_question
        and {{ place }} < 10000 * {{ decimal_var('certainly_uncertain_test_share') }}
    union all
    select
        pairs.pair_id,
        -1 as direction,
        {{ tokens('pairs.unanswerable_question') }} as words
    from pairs
    inner join draw
        on pairs.pair_id = draw.candidate_id
    where
        pairs.answerable_question <> pairs.unanswerable_question
        and {{ place }} < 10000 * {{ decimal_var('certainly_uncertain_test_share') }}

),

-- each word and pair of neighbouring words once a question
words as (

    select distinct
        pair_id,
        direction,
        {{ unnest_list('words') }} as word
    from sides
    union
    select distinct
        pair_id,
        direction,
        {{ unnest_list(list_transform(
            integer_series(1, n_neighbours), 'place', neighbours
        )) }} as word
    from sides
    where {{ list_length('words') }} > 1

),

-- what both questions have tells nothing
final as (

    select
        pair_id,
        word,
        min(direction) as direction
    from words
    group by pair_id, word
    having count(*) = 1

)

select * from final
