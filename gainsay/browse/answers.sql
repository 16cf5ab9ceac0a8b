-- the answers of models to examples, first those that other models contradict
select
    matches.*,
    coalesce(
        bool_or(credit >= 0.5) over same_question and bool_or(credit < 0.5) over same_question,
        false
    ) as is_at_odds
from evaluation.evaluation__matches as matches
where
    getvariable('example_ids') is null
    or example_id in (select unnest(getvariable('example_ids')))
window same_question as (partition by example_id, task, condition, matcher)
order by is_at_odds desc, example_id asc, task asc, condition asc, matcher asc, model asc
limit 500
