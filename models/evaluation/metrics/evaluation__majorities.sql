with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),
views as (
    select * from {{ ref('blind_views') }}
    where metric is not null
),
metrics as (select * from {{ ref('evaluation__metrics') }}),

-- each answered example once, whichever models answered it
answered_examples as (
    select distinct benchmark, task, condition, example_id from predictions
),

-- what the blind reader guesses, and which label is the most frequent of all
labels as (
    select distinct
        guesses.benchmark, guesses.task, guesses.condition, guesses.guessed, views.metric,
        guesses.example_id, guesses.split, guesses.label
    from {{ ref('audit__blind_guesses') }} as guesses
    inner join views using (benchmark, task, condition, view, guessed)
    where guesses.reader = 'cross_fitted'
),

counted_labels as (
    select
        *,
        count(*) over (
            partition by benchmark, task, condition, guessed, metric, label
        ) as n_label
    from labels
),

ranked_labels as (
    select
        *,
        first_value(label) over (
            partition by benchmark, task, condition, guessed, metric
            order by n_label desc, label asc
        ) as guess
    from counted_labels
),

-- of what may have no answer there is no most frequent one: there it says that it does not know. F1
-- of that is twice the common ones by the sum of both
label_credits as (
    select
        benchmark, task, metric, example_id, split,
        {{ one_if('guess = label') }} as numerator,
        cast(1 as double) as denominator
    from ranked_labels
    where guessed <> 'answerability'
    union all
    select
        benchmark, task,
        'f1_idk',
        example_id, split,
        2 * {{ one_if("label = 'open'") }},
        1 + {{ one_if("label = 'open'") }}
    from ranked_labels
    where guessed = 'answerability'
    union all
    select
        benchmark, task,
        'lave_idk',
        example_id, split,
        {{ one_if("label = 'open'") }},
        cast(1 as double)
    from ranked_labels
    where guessed = 'answerability'
),

credits as (
    select
        benchmark, cast(null as string) as task, condition, metric, example_id, split, numerator,
        denominator
    from {{ ref('evaluation__majority_credits') }}
    union all
    select
        benchmark, task, 'any' as condition, metric, example_id, split, numerator, denominator
    from label_credits
),

answered_credits as (
    select
        answered_examples.benchmark, answered_examples.task, answered_examples.condition,
        answered_examples.example_id, credits.metric, credits.split, credits.numerator,
        credits.denominator
    from answered_examples
    inner join credits
        on
            answered_examples.benchmark = credits.benchmark
            and answered_examples.example_id = credits.example_id
            and coalesce(credits.task, answered_examples.task) = answered_examples.task
            and credits.condition in ('any', {{ whole_condition('answered_examples.condition') }})
),

groups as (
    select *, count(*) over (partition by benchmark, group_id) as n_records
    from (
        {{ union_of_ports('groups', ['group_id', 'example_id']) | indent(8) }}
    ) as published_groups
),

-- a group is right where all of its records are, which one answer to the same words never is
group_credits as (
    select
        answered_credits.benchmark, answered_credits.task, answered_credits.condition,
        answered_credits.split,
        min(answered_credits.numerator) as numerator
    from answered_credits
    inner join groups
        on
            answered_credits.benchmark = groups.benchmark
            and answered_credits.example_id = groups.example_id
    where answered_credits.metric in ('task_success', 'accuracy', 'lave_idk')
    group by
        answered_credits.benchmark, answered_credits.task, answered_credits.condition,
        answered_credits.split, groups.group_id
    having count(*) = max(groups.n_records)
),

measured_credits as (
    select benchmark, task, condition, metric, split, numerator, denominator
    from answered_credits
    union all
    select benchmark, task, condition, 'group_accuracy', split, numerator, cast(1 as double)
    from group_credits
),

-- over all answered examples but those held back, and over each split, as leaderboards are
split_credits as (
    select benchmark, task, condition, metric, 'all' as counted_split, numerator, denominator
    from measured_credits
    where coalesce(split, '') <> 'held_back'
    union all
    select benchmark, task, condition, metric, split, numerator, denominator
    from measured_credits
    where split is not null
)

select
    split_credits.benchmark, split_credits.task, split_credits.condition, split_credits.metric,
    split_credits.counted_split as split,
    {{ nine_places('sum(split_credits.numerator) / sum(split_credits.denominator)') }} as value,
    count(*) as n
from split_credits
inner join metrics
    on
        split_credits.benchmark = metrics.benchmark
        and split_credits.metric = metrics.metric
group by
    split_credits.benchmark, split_credits.task, split_credits.condition, split_credits.metric,
    split_credits.counted_split
having sum(split_credits.denominator) > 0
