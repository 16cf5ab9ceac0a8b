with
wordings as (
    select word as words, value as plain_words
    from {{ ref('certainly_uncertain_vocabulary') }}
    where list_name = 'people_wordings'
),

spaced_questions as (
    select question, {{ spaced_phrase('question') }} as spaced_question
    from (
        select distinct question from {{ ref('certainly_uncertain__people_questions') }}
    ) as questions
),

-- of the phrases that add nothing ("in the picture", "can you see") the longest
longest_phrases as (
    select
        spaced_questions.question,
        {{ min_by(
            'wordings.words',
            "lpad(cast(1000 - length(wordings.words) as string), 4, '0')
            || wordings.words"
        ) }} as words
    from spaced_questions
    inner join wordings
        on
            wordings.words like '% %'
            and spaced_questions.spaced_question like '% ' || wordings.words || ' %'
    group by spaced_questions.question
),

listed_words as (
    select
        spaced_questions.question,
        {{ regexp_extract_all(
            "replace(
                spaced_questions.spaced_question,
                ' ' || longest_phrases.words || ' ',
                ' ' || coalesce(wordings.plain_words, '') || ' '
            )",
            '[^ ]+'
        ) }} as words
    from spaced_questions
    inner join longest_phrases using (question)
    inner join wordings on longest_phrases.words = wordings.words
    union all
    select question, {{ regexp_extract_all('spaced_question', '[^ ]+') }} as words
    from spaced_questions
    left join longest_phrases using (question)
    where longest_phrases.words is null
),

placed_words as (
    select question, {{ unnest_list_with_position('words', 'word', 'place') }}
    from listed_words
),

-- a word that adds nothing has no plain word
plain_words as (
    select
        placed_words.question, placed_words.place,
        case when wordings.words is null then placed_words.word else wordings.plain_words end
            as word
    from placed_words
    left join wordings on placed_words.word = wordings.words
)

select question, {{ array_join(array_agg('word', order_by='place'), "' '") }} as asked_words
from plain_words
where word is not null
group by question
