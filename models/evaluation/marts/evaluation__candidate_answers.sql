with
prompts as (
    {{ union_of_ports('prompts', ['example_id', 'asked_example_id']) | indent }}
),

examples as (
    {{ union_of_ports('examples', ['example_id', 'group_id']) | indent }}
),

asked_examples as (
    select distinct benchmark, example_id, asked_example_id from prompts
),

-- by the first matcher; half of the credit is right
answers as (
    select
        matches.benchmark, matches.task, matches.condition, matches.example_id, matches.model,
        matches.run,
        matches.credit >= 0.5 as is_right,
        lower({{ without_final_stops(
            "coalesce(matches.extraction, matches.prediction, '')"
        ) }}) as given_answer
    from {{ ref('evaluation__matches') }} as matches
    inner join {{ ref('evaluation__matchers') }} as matchers
        on
            matches.benchmark = matchers.benchmark
            and matches.task = matchers.task
            and matches.matcher = matchers.matcher
            and matchers.place = 1
    where matches.credit is not null
),

-- How much an answer of a model says: the logarithm of its odds of being right, in millionths, so
-- that sums are the same in any order. Of a model that is seldom right nothing follows.
weights as (
    select
        benchmark, task, condition, model, run,
        greatest(0, cast(round(1000000 * ln(
            (count_if(is_right) + 1.0) / (count_if(not is_right) + 1.0)
        )) as bigint)) as weight
    from answers
    group by benchmark, task, condition, model, run
),

-- what speaks for each answer to an example; of all right ones the gold answer is one
supports as (
    select
        answers.benchmark, answers.task, answers.condition, answers.example_id, answers.is_right,
        case when not answers.is_right then answers.given_answer end as wrong_answer,
        sum(weights.weight) as support
    from answers
    inner join weights
        on
            answers.benchmark = weights.benchmark
            and answers.task = weights.task
            and answers.condition = weights.condition
            and answers.model = weights.model
            and answers.run = weights.run
    where answers.is_right or answers.given_answer <> ''
    group by
        answers.benchmark, answers.task, answers.condition, answers.example_id, answers.is_right,
        case when not answers.is_right then answers.given_answer end
),

suspicions as (
    select
        benchmark, task, condition, example_id,
        round(
            (
                coalesce(max(case when not is_right then support end), 0)
                - coalesce(max(case when is_right then support end), 0)
            ) / 1000000.0, 4
        ) as suspicion
    from supports
    group by benchmark, task, condition, example_id
),

answered_examples as (
    select
        answers.*, suspicions.suspicion, examples.example_id as candidate_example_id,
        examples.group_id
    from answers
    inner join asked_examples
        on
            answers.benchmark = asked_examples.benchmark
            and answers.example_id = asked_examples.example_id
    inner join examples
        on
            asked_examples.benchmark = examples.benchmark
            and asked_examples.asked_example_id = examples.example_id
    left join suspicions
        on
            answers.benchmark = suspicions.benchmark
            and answers.task = suspicions.task
            and answers.condition = suspicions.condition
            and answers.example_id = suspicions.example_id
),

-- a candidate is what examples are grouped by, or one example
candidates as (
    select
        benchmark, group_id as candidate_id, task, condition, example_id, model, run, is_right,
        given_answer, suspicion
    from answered_examples
    union
    select
        benchmark, candidate_example_id, task, condition, example_id, model, run, is_right,
        given_answer, suspicion
    from answered_examples
)

select
    benchmark, candidate_id, task, condition, example_id, model, run, is_right,
    case
        when
            max({{ one_if('is_right') }}) over example_answers
            > min({{ one_if('is_right') }}) over example_answers
            then 'disagree'
        when is_right then 'all right'
        -- several that agree against the gold answer may be right
        when
            count(*) over example_answers > 1
            and min(given_answer) over example_answers = max(given_answer) over example_answers
            and given_answer <> ''
            then 'all wrong alike'
        else 'all wrong'
    end as standing,
    coalesce(suspicion, 0) as suspicion
from candidates
where candidate_id is not null
window example_answers as (partition by benchmark, candidate_id, task, condition, example_id)
