with

pairs as (

    select * from {{ ref('certainly_uncertain__caption_pairs') }}

),

forbidden_words as (

    select * from {{ ref('uncertainty_forbidden_words') }}

),

questions as (

    select
        pair_id,
        category,
        ' ' || {{ array_join(tokens('unanswerable_question'), "' '") }} || ' ' as spaced_question
    from pairs
    where unanswerable_question is not null

),

found_words as (

    select
        questions.pair_id,
        min(forbidden_words.words) as words
    from questions
    inner join forbidden_words
        on
            forbidden_words.category in ('any', questions.category)
            and contains(questions.spaced_question, ' ' || forbidden_words.words || ' ')
    group by questions.pair_id

),

final as (

    select
        questions.pair_id as candidate_id,
        found_words.words as drop_detail,
        found_words.pair_id is null as is_passed
    from questions
    left join found_words
        on questions.pair_id = found_words.pair_id

)

select * from final
