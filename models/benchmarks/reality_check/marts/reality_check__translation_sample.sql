with
questions as (select * from {{ ref('reality_check__questions') }}),

-- each of the nine biases and the compounds has as many; what one lacks others fill in order
type_numbers as (
    select
        count(*) + 1 as n_types,
        {{ rc_threshold('sample_per_language') }} as n_sampled
    from {{ ref('reality_check_biases') }}
),

ranked_questions as (
    select
        questions.challenge_id, questions.language, questions.bias_type, questions.question,
        {{ seeded_order(
            'rc_sample', "questions.language || ':' || questions.challenge_id",
            seed_var='reality_check_seed'
        ) }} as sample_order,
        row_number() over (
            partition by questions.language, questions.bias_type
            order by {{ seeded_order(
                'rc_sample', "questions.language || ':' || questions.challenge_id",
                seed_var='reality_check_seed'
            ) }}, questions.challenge_id
        ) as rank_in_type
    from questions
),

ordered_questions as (
    select
        ranked_questions.*,
        row_number() over (
            partition by ranked_questions.language
            order by
                case
                    when
                        ranked_questions.rank_in_type * type_numbers.n_types
                        <= type_numbers.n_sampled
                        then 0
                    else 1
                end,
                ranked_questions.sample_order,
                ranked_questions.challenge_id
        ) as rank_in_language
    from ranked_questions
    cross join type_numbers
),

english_questions as (
    select challenge_id, question
    from questions
    where language = 'en'
),

sampled_questions as (
    select
        ordered_questions.challenge_id, ordered_questions.language, ordered_questions.bias_type,
        ordered_questions.challenge_id || '::' || ordered_questions.language as record_id,
        english_questions.question as en_question,
        ordered_questions.question as translated_question,
        cast(ordered_questions.rank_in_language as bigint) as rank_in_language
    from ordered_questions
    inner join english_questions using (challenge_id)
    where
        ordered_questions.rank_in_language <= {{ rc_threshold('sample_per_language') }}
)

select
    *,
    md5({{ canonical_row(['language', 'en_question', 'translated_question']) }})
        as record_md5
from sampled_questions
