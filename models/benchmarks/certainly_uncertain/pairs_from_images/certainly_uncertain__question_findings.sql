with

vqa_questions as (

    select question from {{ ref('stg_vqa__questions') }}

),

gqa_questions as (

    select question from {{ ref('stg_gqa__questions') }}

),

written_questions as (

    select question from {{ ref('certainly_uncertain__written_questions') }}
    where question is not null

),

patterns as (

    select
        words,
        place,
        reason,
        is_only_without_object,
        {{ list_extract(tokens('words'), 1) }} as first_token
    from {{ ref('uncertainty_question_patterns') }}

),

questions as (

    select question from vqa_questions
    union
    select question from gqa_questions
    union
    select question from written_questions

),

question_tokens as (

    select
        question,
        {{ tokens('question') }} as tokens
    from questions

),

-- a space at either end, so that `like '% word %'` finds whole words only
question_texts as (

    select
        question,
        ' ' || {{ array_join('tokens', "' '") }} || ' ' as text,
        {{ unnest_list(list_sort_distinct('tokens')) }} as token
    from question_tokens

),

matches as (

    select
        question_texts.question,
        patterns.words,
        patterns.reason,
        patterns.is_only_without_object
    from question_texts
    inner join patterns
        on question_texts.token = patterns.first_token
    where
        question_texts.text like case patterns.place
            when 'opening' then ' ' || patterns.words || ' %'
            when 'ending' then '% ' || patterns.words || ' '
            else '% ' || patterns.words || ' %'
        end

),

final as (

    select
        question,
        min(case when reason = 'question_of_presence' then words end) as presence_words,
        min(case when reason = 'question_of_number' then words end) as number_words,
        min(
            case when reason = 'whole_picture' and not is_only_without_object then words end
        ) as whole_picture_words,
        min(
            case when reason = 'whole_picture' and is_only_without_object then words end
        ) as picture_words,
        min(case when reason = 'world_knowledge' then words end) as world_knowledge_words
    from matches
    group by question

)

select * from final
