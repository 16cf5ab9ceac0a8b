with

words as (

    select * from {{ ref('clash__words') }}

),

vague_words as (

    select * from {{ ref('clash_vague_words') }}

),

policy as (

    select * from {{ ref('clash_judge_policies') }}
    where policy = '{{ var("clash_judges") }}'

),

answers as (

    select
        sample_id,
        forbidden_reason,
        {{ tokens('word') }} as answer_words
    from words
    where said_as in ('image_only', 'text_only', 'distractor')

),

answer_words as (

    select
        sample_id,
        {{ unnest_list('answer_words') }} as word
    from answers

),

-- an answer is vague as a whole ("animal"), or by any of its words ("several dogs")
vague_samples as (

    select sample_id
    from answers
    where forbidden_reason = 'vague'
    union
    select answer_words.sample_id
    from answer_words
    inner join vague_words
        on answer_words.word = vague_words.word

),

samples as (

    select distinct sample_id
    from answers

),

final as (

    select
        samples.sample_id as candidate_id,
        case when policy.hears_rules then vague_samples.sample_id is null end as is_passed,
        vague_samples.sample_id is not null as is_vague
    from samples
    cross join policy
    left join vague_samples
        on samples.sample_id = vague_samples.sample_id

)

select * from final
