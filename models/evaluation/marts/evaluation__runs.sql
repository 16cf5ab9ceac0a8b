with
predictions as (select * from {{ ref('evaluation__predictions') }}),

asked_prompts as (
    {{ union_of_ports(
        'prompts', ['task', 'condition', 'example_id', 'asked_example_id'],
        with_question_sets=true
    ) | indent }}
),

examples as (
    {{ union_of_ports('examples', ['example_id', 'split']) | indent }}
),

-- questions of others, and what is no example, have no split
prompts as (
    select
        asked_prompts.*,
        examples.split,
        coalesce(examples.split = 'held_back', false) as is_held_back
    from asked_prompts
    left join examples
        on
            asked_prompts.benchmark = examples.benchmark
            and asked_prompts.asked_example_id = examples.example_id
),

unrated_answers as (
    select distinct source_file, file_position
    from {{ ref('evaluation__matches') }}
    where not is_rated
),

-- every example is asked in its split, where it has one, and among all but those held back
asked_examples as (
    select benchmark, task, condition, 'all' as split
    from prompts
    where not is_held_back
    union all
    select benchmark, task, condition, split
    from prompts
    where split is not null
),

asked_splits as (
    select benchmark, task, condition, split, count(*) as n_asked
    from asked_examples
    group by benchmark, task, condition, split
),

runs as (
    select
        source_file, benchmark, task, condition, model, run,
        max(prompt_version) as prompt_version,
        max(prompt_sha256) as prompt_sha256,
        min(answered_model) as other_model,
        count(*) as n_answers,
        count(answered_model) as n_of_other_models,
        sum(case when reason is null then 0 else 1 end) as n_unmatched
    from predictions
    group by source_file, benchmark, task, condition, model, run
),

scored_answers as (
    select
        predictions.source_file, prompts.split,
        coalesce(prompts.is_held_back, false) as is_held_back,
        case when unrated_answers.source_file is null then 0 else 1 end as is_unrated
    from predictions
    left join prompts
        on
            predictions.benchmark = prompts.benchmark
            and predictions.task = prompts.task
            and {{ whole_condition('predictions.condition') }} = prompts.condition
            and predictions.example_id = prompts.example_id
    left join unrated_answers using (source_file, file_position)
    where predictions.reason is null
),

answers_of_splits as (
    select source_file, 'all' as split, is_unrated
    from scored_answers
    where not is_held_back
    union all
    select source_file, split, is_unrated
    from scored_answers
    where split is not null
),

counted_answers as (
    select source_file, split, count(*) as n_scored, sum(is_unrated) as n_unrated
    from answers_of_splits
    group by source_file, split
),

-- a run has a row for a split that it has no answer to, too
run_splits as (
    select source_file, 'all' as split
    from runs
    union
    select runs.source_file, asked_splits.split
    from runs
    inner join asked_splits
        on
            runs.benchmark = asked_splits.benchmark
            and runs.task = asked_splits.task
            and {{ whole_condition('runs.condition') }} = asked_splits.condition
)

select
    runs.source_file,
    runs.benchmark,
    runs.task,
    runs.condition,
    runs.model,
    runs.run,
    run_splits.split,
    runs.prompt_version,
    runs.prompt_sha256,
    runs.other_model,
    cast(runs.n_answers as bigint) as n_answers,
    cast(runs.n_of_other_models as bigint) as n_of_other_models,
    cast(coalesce(counted_answers.n_scored, 0) as bigint) as n_scored,
    cast(runs.n_unmatched as bigint) as n_unmatched,
    cast(coalesce(counted_answers.n_unrated, 0) as bigint) as n_unrated,
    cast(asked_splits.n_asked as bigint) as n_asked,
    -- published answers may bring examples along that are not asked
    case
        when asked_splits.n_asked is not null
            then
                cast(greatest(
                    asked_splits.n_asked - coalesce(counted_answers.n_scored, 0), 0
                ) as bigint)
    end as n_unanswered,
    case
        when counted_answers.n_scored >= asked_splits.n_asked then cast(1 as double)
        else {{ nine_places(
            'cast(coalesce(counted_answers.n_scored, 0) as double) / asked_splits.n_asked'
        ) }}
    end as completeness
from runs
inner join run_splits using (source_file)
left join counted_answers using (source_file, split)
left join asked_splits
    on
        runs.benchmark = asked_splits.benchmark
        and runs.task = asked_splits.task
        and {{ whole_condition('runs.condition') }} = asked_splits.condition
        and run_splits.split = asked_splits.split
