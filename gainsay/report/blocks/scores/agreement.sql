-- title: how often two models are right or wrong on the same examples
-- note: Of the examples that both answered, the share of which both are right or both are wrong.
-- draw: heat
-- rows: model
-- columns: other_model
-- most: 2000
-- by the first matcher of each task; half of the credit is right
with answers as (
    select
        matches.benchmark,
        matches.task,
        matches.condition,
        matches.example_id,
        concat_ws(', ', matches.model, nullif(matches.run, 'default')) as model,
        matches.credit >= 0.5 as is_right
    from evaluation.evaluation__matches as matches
    inner join evaluation.evaluation__matchers as matchers
        on
            matches.benchmark = matchers.benchmark
            and matches.task = matchers.task
            and matches.matcher = matchers.matcher
    where matchers.place = 1 and matches.credit is not null
)

select
    answers.benchmark,
    answers.task,
    answers.condition,
    answers.model,
    others.model as other_model,
    avg((answers.is_right = others.is_right)::int) as value,
    'share' as unit,
    count(*) as n_answers
from answers
inner join answers as others
    on
        answers.benchmark = others.benchmark
        and answers.task = others.task
        and answers.condition = others.condition
        and answers.example_id = others.example_id
        and answers.model <> others.model
group by answers.benchmark, answers.task, answers.condition, answers.model, others.model
order by
    answers.benchmark, answers.task, answers.condition, answers.model, others.model
