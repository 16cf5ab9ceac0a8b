with

draw as (

    select * from {{ ref('certainly_uncertain__draw') }}

),

telling_words as (

    select * from {{ ref('certainly_uncertain__telling_words') }}

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

),

final as (

    select
        draw.candidate_id,
        -- a reader who sees no picture does not tell the open question from the other
        guessed_pairs.pair_id is null as passes_guessed,
        {{ array_join('guessed_pairs.telltale_words', "', '") }} as guessed_detail
    from draw
    left join guessed_pairs
        on draw.candidate_id = guessed_pairs.pair_id

)

select * from final
