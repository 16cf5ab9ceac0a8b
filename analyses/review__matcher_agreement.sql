with
judged_answers as (
    select * from {{ ref('review__verdicts') }}
    where
        benchmark = 'evaluation'
        and queue = 'answers'
        and question = 'is_right'
        and is_decided
        and is_accepted is not null
),

-- an answer counts once, however many models gave it
matched_answers as (
    select distinct
        benchmark, task, condition, matcher,
        benchmark || '::' || task || '::' || condition || '::' || example_id || '::'
        || md5(prediction) as record_id,
        is_correct
    from {{ ref('evaluation__matches') }}
    where prediction is not null and is_correct is not null
)

select
    matched_answers.benchmark, matched_answers.task, matched_answers.condition,
    matched_answers.matcher,
    count(*) as n_answers,
    cast(sum({{ one_if('judged_answers.is_accepted') }}) as bigint) as n_right_to_people,
    cast(sum({{ one_if('matched_answers.is_correct') }}) as bigint) as n_right_to_matcher,
    round(avg({{ one_if('judged_answers.is_accepted = matched_answers.is_correct') }}), 9)
        as agreement
from matched_answers
inner join judged_answers using (record_id)
group by
    matched_answers.benchmark, matched_answers.task, matched_answers.condition,
    matched_answers.matcher
