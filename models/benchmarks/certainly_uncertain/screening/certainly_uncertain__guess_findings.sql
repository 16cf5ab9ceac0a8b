with

draw as (

    select * from {{ ref('certainly_uncertain__draw') }}

),

guessed_pairs as (

    select * from {{ ref('certainly_uncertain__guessed_1') }}
    union all
    select * from {{ ref('certainly_uncertain__guessed_2') }}
    union all
    select * from {{ ref('certainly_uncertain__guessed_3') }}

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
