with

gated as (

    select * from {{ ref('conflict_suite__family_gate') }}
    where is_passed

),

candidates as (

    select * from {{ ref('conflict_suite__candidates') }}

),

boolean_answers as (

    select * from {{ ref('boolean_answers') }}

),

number_words as (

    select * from {{ ref('number_words') }}

),

colors as (

    select * from {{ ref('colors') }}

),

answers as (

    select
        gated.question_id,
        gated.answer_type,
        {{ normalized_text('candidates.multiple_choice_answer') }} as answer_normalized
    from gated
    inner join candidates
        on gated.question_id = candidates.question_id

),

-- each answer type has one closed vocabulary; an answer outside it has no gold answer
final as (

    select
        answers.question_id,
        answers.answer_type,
        answers.answer_normalized,
        case answers.answer_type
            when 'boolean' then boolean_answers.gold_answer
            when 'color' then colors.color
            when 'integer' then {{ number_said('answers.answer_normalized', 'number_words.value') }}
        end as gold_answer
    from answers
    left join boolean_answers
        on answers.answer_normalized = boolean_answers.answer
    left join number_words
        on answers.answer_normalized = number_words.word
    left join colors
        on answers.answer_normalized = colors.color

)

select
    *,
    gold_answer is not null as is_passed
from final
