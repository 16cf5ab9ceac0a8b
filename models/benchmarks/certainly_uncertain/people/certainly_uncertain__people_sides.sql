{%- set split_key -%}
    coalesce('group-' || statements.split_group, questions.source_image_id)
{%- endset -%}
with
questions as (
    select
        questions.*,
        wordings.asked_words, agreement.n_agreeing, agreement.agreed_answers,
        agreement.question_key is not null as is_doubted,
        questions.n_doubts = 0
        and questions.rival_answer is null
        and questions.n_of_first_answer
        >= {{ threshold('certainly_uncertain', 'people_agreement') }}
        and coalesce(
            questions.n_sure >= {{ threshold('certainly_uncertain', 'people_sure') }}, true
        ) as is_agreed
    from {{ ref('certainly_uncertain__people_questions') }} as questions
    inner join {{ ref('certainly_uncertain__people_wordings') }} as wordings using (question)
    left join {{ ref('certainly_uncertain__people_agreement') }} as agreement using (question_key)
),

patterns as (
    select
        *,
        case place
            when 'opening' then words || ' %'
            when 'ending' then '% ' || words
            else '% ' || words || ' %'
        end as pattern
    from {{ ref('uncertainty_people_questions') }}
),

doubted_words as (
    select distinct asked_words
    from questions
    where is_doubted
),

-- what a question asks for, by the first of the patterns that fit its words
first_patterns as (
    select asked.asked_words, min(patterns.priority) as priority
    from doubted_words as asked
    inner join patterns
        on case patterns.place
            when 'anywhere' then ' ' || asked.asked_words || ' ' like patterns.pattern
            else asked.asked_words like patterns.pattern
        end
    group by asked.asked_words
),

question_kinds as (
    select first_patterns.asked_words, patterns.category, patterns.reason, patterns.least_doubts
    from first_patterns
    inner join patterns using (priority)
),

texts as (
    select source_image_id, ' ' || {{ array_join('words', "' '") }} || ' ' as spaced_text
    from {{ ref('certainly_uncertain__texts') }}
),

-- what at least two people answered
repeated_answers as (
    select answers.question_key, questions.source_image_id, answers.answer
    from {{ ref('certainly_uncertain__people_answers') }} as answers
    inner join questions using (question_key)
    where questions.is_doubted and answers.says = 'answer' and answers.n_people > 1
),

-- pictures whose captions say it, or that people answer it of when they are asked otherwise: of
-- the floors of a building that has ten stories
told_questions as (
    select question_key, min(answer) as told_answer
    from (
        select repeated_answers.question_key, repeated_answers.answer
        from repeated_answers
        inner join texts using (source_image_id)
        where contains(texts.spaced_text, ' ' || repeated_answers.answer || ' ')
        union all
        select repeated_answers.question_key, repeated_answers.answer
        from repeated_answers
        inner join {{ ref('certainly_uncertain__people_questions') }} as other_questions
            on
                repeated_answers.source_image_id = other_questions.source_image_id
                and repeated_answers.answer = other_questions.first_answer
                and repeated_answers.question_key <> other_questions.question_key
        where
            other_questions.n_of_first_answer
            >= {{ threshold('certainly_uncertain', 'people_rival') }}
    ) as told_answers
    group by question_key
),

terms as (
    select coalesce(digits.digits, terms.term) as answer, terms.term, terms.concept, terms.swap_set
    from {{ ref('lexicon__terms') }} as terms
    left join {{ vocabulary('evaluation', 'vqa_number_words', value='digits') }} as digits
        on terms.term = digits.word
    where terms.swap_set is not null and terms.change_type = 'attribute'
),

asked_nouns as (
    select
        question_key, source_image_id, first_answer,
        {{ unnest_list(regexp_extract_all('asked_words', '[a-z]+')) }} as noun
    from questions
    where is_agreed
),

-- captions that say another value of what was asked: "three dogs" where people answered two
contradicted_questions as (
    select
        asked_nouns.question_key,
        min(other_terms.term || ' ' || asked_nouns.noun) as contradiction
    from asked_nouns
    inner join terms on asked_nouns.first_answer = terms.answer
    inner join terms as other_terms
        on terms.swap_set = other_terms.swap_set and terms.concept <> other_terms.concept
    inner join texts
        on
            asked_nouns.source_image_id = texts.source_image_id
            and texts.spaced_text
            like '% ' || other_terms.term || ' ' || asked_nouns.noun || ' %'
    group by asked_nouns.question_key
)

select
    'cu-' || coalesce(question_kinds.category, 'ambiguity') || '-'
    || questions.source_image_id || '-' || substr(md5(questions.question_key), 1, 8) as pair_id,
    questions.question_key, questions.origin, questions.question_id, questions.image_id,
    questions.source_image_id, questions.question, questions.asked_words, questions.first_answer,
    questions.agreed_answers, told_questions.told_answer, contradicted_questions.contradiction,
    -- of what is asked otherwise people may name one thing or another
    coalesce(question_kinds.category, 'ambiguity') as category,
    question_kinds.reason as kind_reason,
    question_kinds.least_doubts, questions.n_people, questions.n_doubts, questions.n_denials,
    questions.n_misreadings, questions.n_sure, questions.n_many, questions.n_answers,
    questions.n_agreeing, questions.n_of_first_answer,
    questions.is_doubted, questions.is_agreed,
    question_kinds.asked_words is not null as is_sorted,
    {{ seeded_int('uncertainty_split', split_key, 10000) }}
    < 10000 * {{ threshold('certainly_uncertain', 'two_picture_test_share') }} as is_test_half
from questions
left join question_kinds using (asked_words)
left join told_questions using (question_key)
left join contradicted_questions using (question_key)
left join {{ ref('images__own_statements') }} as statements
    on questions.source_image_id = statements.source_image_id
where questions.is_doubted or questions.is_agreed
