with

texts as (

    select * from {{ ref('clash__texts') }}

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

counted_answers as (

    select
        sample_id,
        greatest(
            {{ list_length(tokens('image_only_plain')) }},
            {{ list_length(tokens('text_only_plain')) }},
            {{ list_length(tokens('distractor_plain')) }}
        ) as n_words
    from texts
    where is_answered

),

final as (

    select
        counted_answers.sample_id as candidate_id,
        case
            when policy.hears_rules
                then counted_answers.n_words <= {{ var('clash_answer_most_words') }}
        end as is_passed,
        cast(counted_answers.n_words as bigint) as n_words
    from counted_answers
    cross join policy

)

select * from final
