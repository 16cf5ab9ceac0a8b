with
labels as (
    select * from {{ ref('evaluation__judge_labels') }}
    where reason is null
),

metrics as (
    select label, metric
    from {{ vocabulary('evaluation', 'clash_judge_labels', word='label', value='metric') }}
        as judge_labels
),

votes as (
    select
        labels.source_file, labels.file_position,
        labels.judge as judges,
        metrics.metric,
        labels.label = metrics.label as is_said
    from labels
    cross join metrics
),

panels as (
    select source_file, count(distinct judge) as n_judges
    from labels
    group by source_file
),

-- all judges of a run together: whether any says so, and whether all do; only answers that every
-- judge labelled count, and a single judge is no panel
panel_votes as (
    select
        votes.source_file, votes.file_position, votes.metric,
        bool_or(votes.is_said) as is_said_by_one,
        not bool_or(not votes.is_said) as is_said_by_all
    from votes
    inner join panels using (source_file)
    where panels.n_judges > 1
    group by votes.source_file, votes.file_position, votes.metric, panels.n_judges
    having count(*) = panels.n_judges
),

full_agreements as (
    select
        source_file, file_position, 'all' as judges, 'agreement' as metric,
        bool_or(is_said_by_all) as is_said
    from panel_votes
    group by source_file, file_position
),

votes_and_panels as (
    select * from votes
    union all
    select source_file, file_position, 'at least one' as judges, metric, is_said_by_one as is_said
    from panel_votes
    union all
    select source_file, file_position, 'all' as judges, metric, is_said_by_all as is_said
    from panel_votes
    union all
    select * from full_agreements
),

counted_votes as (
    select source_file, file_position, judges, metric, {{ one_if('is_said') }} as vote
    from votes_and_panels
),

answers as (
    select distinct
        source_file, condition, model, run,
        {{ resampling_key('example_id') }} as example_resampling_key,
        {{ resampling_key('source_image_id') }} as image_resampling_key,
        file_position
    from labels
),

shares as (
    select
        answers.source_file, answers.condition, answers.model, answers.run, counted_votes.judges,
        counted_votes.metric,
        avg(counted_votes.vote) as value,
        {{ error_of_mean(
            'counted_votes.vote', key='answers.example_resampling_key',
            cluster='answers.image_resampling_key'
        ) }} as error,
        count(*) as n
    from counted_votes
    inner join answers using (source_file, file_position)
    group by
        answers.source_file, answers.condition, answers.model, answers.run, counted_votes.judges,
        counted_votes.metric
)

select
    source_file,
    condition,
    model,
    run,
    judges,
    metric,
    {{ percentage('value') }} as value,
    {{ percentage('error.standard_deviation') }} as standard_deviation,
    {{ percentage('error.clustered_standard_error') }}
        as clustered_standard_error,
    n
from shares
