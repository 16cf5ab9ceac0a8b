with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),

views as (select * from {{ ref('blind_views') }}),

guesses as (
    select * from {{ ref('audit__blind_guesses') }}
    where reader = 'cross_fitted'
),

-- F1 of not knowing is twice the common ones by the sum of both; other metrics count right labels
blind_measures as (
    select
        guesses.benchmark, guesses.task, guesses.example_id, guesses.split, views.metric,
        guesses.is_right,
        case
            when views.metric <> 'f1_idk'
                then case when guesses.is_right then cast(1 as double) else cast(0 as double) end
            when guesses.guess = 'open' and guesses.label = 'open' then cast(2 as double)
            else cast(0 as double)
        end as numerator,
        case
            when views.metric <> 'f1_idk' then cast(1 as double)
            else
                case when guesses.guess = 'open' then cast(1 as double) else cast(0 as double) end
                + case when guesses.label = 'open' then cast(1 as double) else cast(0 as double) end
        end as denominator
    from guesses
    inner join views using (benchmark, task, condition, view, guessed)
    where views.metric is not null
    union all
    -- a group counts at whichever of its records is the first that a run answers
    select
        groups.benchmark, groups.task, groups.example_id,
        max(groups.split) as split,
        'group_accuracy' as metric,
        bool_or(groups.is_right) as is_right,
        max({{ one_if('groups.is_right') }}) as numerator,
        cast(1 as double) as denominator
    from {{ ref('audit__blind_groups') }} as groups
    inner join views using (benchmark, task, condition, view, guessed)
    where groups.reader = 'cross_fitted' and views.counts_groups
    group by groups.benchmark, groups.task, groups.example_id
),

-- answers to what the blind reader reads, by the metric that counts what it guesses; an answer that
-- the metric does not count is not counted of the reader
compared_answers as (
    select
        predictions.benchmark, predictions.task, predictions.condition, answers.matcher,
        blind_measures.metric, predictions.model, predictions.run, predictions.example_id,
        blind_measures.split,
        coalesce(measures.numerator, 0) as numerator,
        coalesce(measures.denominator, 0) as denominator,
        blind_measures.numerator as blind_numerator,
        blind_measures.denominator as blind_denominator,
        blind_measures.is_right as is_guessed
    from {{ ref('evaluation__scored_answers') }} as answers
    inner join predictions using (source_file, file_position)
    inner join blind_measures using (benchmark, task, example_id)
    left join {{ ref('evaluation__measures') }} as measures
        on
            answers.source_file = measures.source_file
            and answers.file_position = measures.file_position
            and answers.matcher = measures.matcher
            and blind_measures.metric = measures.metric
    where measures.denominator > 0 or blind_measures.metric = 'f1_idk'
),

-- over all answers and over each split, as leaderboards are
split_answers as (
    select *, 'all' as counted_split from compared_answers
    union all
    select *, split as counted_split
    from compared_answers
    where split is not null
),

model_gains as (
    select
        counted_split as split,
        benchmark, task, condition, matcher, metric, model, run,
        count(*) as n,
        sum(numerator) / nullif(sum(denominator), 0) as value,
        sum(blind_numerator) / nullif(sum(blind_denominator), 0) as blind_value,
        sum(case when is_guessed then numerator else 0 end) / nullif(sum(numerator), 0)
            as guessed_share
    from split_answers
    group by counted_split, benchmark, task, condition, matcher, metric, model, run
),

-- each answered example once, whichever models answered it
answered_examples as (
    select distinct
        counted_split as split,
        benchmark, task, condition, matcher, metric, example_id, blind_numerator, blind_denominator
    from split_answers
),

blind_values as (
    select
        split, benchmark, task, condition, matcher, metric,
        count(*) as n,
        sum(blind_numerator) / nullif(sum(blind_denominator), 0) as value
    from answered_examples
    group by split, benchmark, task, condition, matcher, metric
),

gains as (
    select
        benchmark, task, condition, matcher, metric, model, run, split, n, value, blind_value,
        guessed_share, false as is_blind
    from model_gains
    union all
    select
        benchmark, task, condition, matcher, metric, 'blind reader' as model, 'cross_fitted' as run,
        split, n, value,
        value as blind_value,
        cast(1 as double) as guessed_share,
        true as is_blind
    from blind_values
)

select
    benchmark,
    task,
    condition,
    matcher,
    metric,
    model,
    run,
    split,
    n,
    {{ nine_places('value') }} as value,
    {{ nine_places('blind_value') }} as blind_value,
    {{ nine_places('value - blind_value') }} as multimodal_gain,
    {{ nine_places('guessed_share') }} as guessed_share,
    is_blind
from gains
