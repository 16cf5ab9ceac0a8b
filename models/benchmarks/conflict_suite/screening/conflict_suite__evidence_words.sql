with

gold_answers as (

    select * from {{ ref('conflict_suite__gold_answers') }}
    where is_passed

),

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

number_words as (

    select
        surface as word,
        canonical as digits
    from {{ ref('answer_forms') }}
    where
        answer_type = 'integer'
        and is_gold_form

),

-- one row that carries the whole list
subject_stop_words as (

    select {{ array_agg('token', order_by='token') }} as stop_words
    from {{ ref('stop_words') }}
    where list_name = 'subject'

),

-- the words whose presence in a caption bears on the answer: the subject's tokens for
-- existence, the number as digits and as a word for a count, the colour itself
final as (

    select
        gold_answers.question_id,
        gold_answers.answer_type,
        gold_answers.gold_answer,
        case gold_answers.answer_type
            when 'boolean'
                then {{ long_tokens(
                    'candidates.question', 'subject_stop_words.stop_words'
                ) }}
            when 'integer'
                then {{ list_value('gold_answers.gold_answer', 'number_words.word') }}
            else {{ list_value('gold_answers.gold_answer') }}
        end as evidence_words,
        -- a caption without the words supports one answer alone: that the thing is not there
        gold_answers.answer_type = 'boolean' and gold_answers.gold_answer = 'no'
            as is_supported_by_absence
    from gold_answers
    inner join candidates
        on gold_answers.question_id = candidates.question_id
    left join number_words
        on gold_answers.gold_answer = number_words.digits
    cross join subject_stop_words

)

select * from final
