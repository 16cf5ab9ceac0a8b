{%- set is_year = 'between 1000 and 2100' %}
{%- set factor = threshold('certainly_uncertain', 'people_number_factor') -%}
with
-- a question that somebody doubts, or to which few people give one answer, whatever it says
doubted_questions as (
    select question_key
    from {{ ref('certainly_uncertain__people_questions') }}
    where
        n_doubts > 0
        or greatest(n_of_first_answer, n_denials, n_misreadings)
        <= {{ threshold('certainly_uncertain', 'people_doubt_agreement') }}
),

compared_answers as (
    select
        answers.question_key, answers.answer, answers.n_people,
        coalesce(synonyms.means, answers.answer) as meaning,
        {{ regexp_replace("replace(answers.answer, ' to ', '')", '[^a-z0-9]+', '') }} as letters,
        {{ regexp_extract_all('answers.answer', '[0-9][0-9,]*([.][0-9]+)?') }} as numbers
    from {{ ref('certainly_uncertain__people_answers') }} as answers
    inner join doubted_questions using (question_key)
    left join {{ vocabulary(
        'certainly_uncertain', 'people_synonyms', word='answer', value='means'
    ) }}
        as synonyms
        using (answer)
    where answers.says = 'answer'
),

measured_answers as (
    select
        *,
        {{ regexp_replace('letters', '(es|s)$', '') }} as singular_letters,
        case
            when {{ list_length('numbers') }} = 1
                then try_cast(replace({{ list_extract('numbers', 1) }}, ',', '') as double)
        end as number,
        -- the hand of a clock goes round: twelve hours are none
        case
            when {{ regexp_matches('answer', '^[0-9]{1,2}:[0-9]{2}( ?[ap]m)?$') }}
                then
                    60 * (try_cast({{ list_extract('numbers', 1) }} as integer) % 12)
                    + try_cast({{ list_extract('numbers', 2) }} as integer)
        end as minutes
    from compared_answers
),

-- people who give an answer, or one that comes to the same: of two answers one contains the other,
-- they are nearly spelled alike, or they are numbers or times close together. Years that differ
-- are different years.
agreeing_people as (
    select
        answers.question_key, answers.answer,
        sum(others.n_people) as n_people,
        {{ array_join(array_agg('others.answer', order_by='others.answer'), "', '") }} as answers
    from measured_answers as answers
    inner join measured_answers as others using (question_key)
    where
        answers.meaning = others.meaning
        or (answers.singular_letters = others.singular_letters and answers.singular_letters <> '')
        or (
            answers.number is null
            and others.number is null
            and (
                contains(' ' || answers.meaning || ' ', ' ' || others.meaning || ' ')
                or contains(' ' || others.meaning || ' ', ' ' || answers.meaning || ' ')
            )
        )
        or (
            coalesce(answers.number = others.number, true)
            and least(length(answers.letters), length(others.letters))
            >= {{ threshold('certainly_uncertain', 'people_least_letters') }}
            -- texts of a page each, which nobody misspells, would take for ever
            and case
                when
                    greatest(length(answers.letters), length(others.letters))
                    <= {{ threshold('certainly_uncertain', 'people_most_letters') }}
                    then levenshtein(answers.letters, others.letters)
            end
            <= greatest(length(answers.letters), length(others.letters))
            * {{ threshold('certainly_uncertain', 'people_letters_differ') }}
        )
        or (
            -- a null fails: of one number and none, greatest would be the one
            others.number <= answers.number * {{ factor }}
            and answers.number <= others.number * {{ factor }}
            and not (answers.number {{ is_year }} and others.number {{ is_year }})
        )
        or least(
            abs(answers.minutes - others.minutes), 720 - abs(answers.minutes - others.minutes)
        ) <= {{ threshold('certainly_uncertain', 'people_minutes') }}
    group by answers.question_key, answers.answer
)

select
    doubted_questions.question_key,
    coalesce(max(agreeing_people.n_people), 0) as n_agreeing,
    {{ min_by(
        'agreeing_people.answers',
        "lpad(cast(10000 - agreeing_people.n_people as string), 5, '0')
        || agreeing_people.answer"
    ) }} as agreed_answers
from doubted_questions
left join agreeing_people using (question_key)
group by doubted_questions.question_key
