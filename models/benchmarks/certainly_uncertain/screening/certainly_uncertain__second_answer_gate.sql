with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}
    where second_answer is not null

),

idk_phrases as (

    select
        {{ spaced_phrase('phrase') }} as phrase,
        is_whole_answer
    from {{ ref('idk_phrases') }}

),

answers as (

    select
        pair_id,
        second_answer,
        {{ spaced_phrase('second_answer') }} as spaced_answer
    from candidates

),

unknown_answers as (

    select distinct answers.pair_id
    from answers
    inner join idk_phrases
        on case
            when idk_phrases.is_whole_answer then answers.spaced_answer = idk_phrases.phrase
            else contains(answers.spaced_answer, idk_phrases.phrase)
        end

),

-- nothing is what is left of the object
final as (

    select
        answers.pair_id as candidate_id,
        answers.second_answer as drop_detail,
        unknown_answers.pair_id is not null or answers.spaced_answer = ' nothing ' as is_passed
    from answers
    left join unknown_answers
        on answers.pair_id = unknown_answers.pair_id

)

select * from final
