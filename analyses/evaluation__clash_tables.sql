with
scores as (
    select * from {{ ref('evaluation__scores') }}
    where
        benchmark = 'clash'
        and condition = 'conflicting'
        and unit = 'percent'
),

matches as (
    select * from {{ ref('evaluation__matches') }}
    where benchmark = 'clash'
),

judge_agreement as (select * from {{ ref('evaluation__judge_agreement') }}),

-- the columns of the table with non-conflicting samples, each by the condition whose answers it
-- counts, the last over both
condition_columns as (
    select 'conflict' as column_name, 'conflicting' as condition
    union all
    select 'no_conflict' as column_name, 'original' as condition
    union all
    select 'overall' as column_name, cast(null as string) as condition
),

-- which slices make the rows of each table: one of them, or all of a name, each in its own row
table_slices as (
    select
        'modality_preference' as table_name, 'overall' as slice_name, 'all' as slice_value,
        'all' as row_name
    union all
    select 'object_category', 'object_category', null, null
    union all
    select 'attribute_category', 'attribute_category', null, null
    union all
    select 'spatial', 'change_type', 'relation', 'all'
    union all
    select 'spatial', 'relation_category', null, null
),

runs_under_both_conditions as (
    select task, matcher, model, run
    from matches
    group by task, matcher, model, run
    having count(distinct condition) = 2
),

compared_answers as (
    select
        matches.task, matches.matcher, matches.model, matches.run, matches.condition,
        matches.credit,
        {{ resampling_key('matches.example_id') }} as example_resampling_key,
        {{ resampling_key('matches.source_image_id') }} as image_resampling_key
    from matches
    inner join runs_under_both_conditions using (task, matcher, model, run)
),

-- a sample weighs the same under both conditions, which is what they share
shares as {{ computed_once() }} (
    select
        compared_answers.task, compared_answers.matcher, compared_answers.model,
        compared_answers.run, condition_columns.column_name,
        avg(compared_answers.credit) as value,
        {{ error_of_mean(
            'compared_answers.credit', key='compared_answers.example_resampling_key',
            cluster='compared_answers.image_resampling_key'
        ) }} as error,
        count(*) as n
    from compared_answers
    inner join condition_columns
        on
            coalesce(condition_columns.condition, compared_answers.condition)
            = compared_answers.condition
    group by
        compared_answers.task, compared_answers.matcher, compared_answers.model,
        compared_answers.run, condition_columns.column_name
),

-- how often a run is right where caption and picture conflict, where they do not, and over both
conditions as (
    select
        task, matcher, model, run, column_name,
        {{ percentage('value') }} as value,
        {{ percentage('error.standard_deviation') }} as standard_deviation,
        {{ percentage('error.clustered_standard_error') }}
            as clustered_standard_error,
        n
    from shares
),

-- whom models follow: over all samples and over those of one kind of change
preferences as (
    select
        table_slices.table_name, scores.task, scores.matcher, scores.model, scores.run,
        coalesce(table_slices.row_name, scores.slice_value) as row_name,
        scores.metric as column_name,
        scores.value, scores.standard_deviation, scores.clustered_standard_error,
        cast(null as double) as gain, scores.n
    from scores
    inner join table_slices
        on
            scores.slice_name = table_slices.slice_name
            and coalesce(table_slices.slice_value, scores.slice_value) = scores.slice_value
),

non_conflicting as (
    select
        'non_conflicting' as table_name, task, matcher, model, run, 'all' as row_name, column_name,
        value, standard_deviation, clustered_standard_error, cast(null as double) as gain, n
    from conditions
),

-- the run named default is the model as it was, every other run of it a tuned one
fine_tuning as (
    select
        'fine_tuning' as table_name, tuned.task, tuned.matcher, tuned.model, tuned.run,
        'all' as row_name, tuned.column_name, tuned.value, tuned.standard_deviation,
        tuned.clustered_standard_error,
        {{ nine_places('tuned.value - base.value') }} as gain,
        tuned.n
    from conditions as tuned
    inner join conditions as base using (task, matcher, model, column_name)
    where base.run = 'default' and tuned.run <> 'default'
),

judged as (
    select
        'judge_agreement' as table_name, 'open_ended' as task, 'judge' as matcher, model, run,
        judges as row_name,
        metric as column_name,
        value, standard_deviation, clustered_standard_error, cast(null as double) as gain, n
    from judge_agreement
    where condition = 'conflicting'
)

select * from preferences
union all
select * from non_conflicting
union all
select * from fine_tuning
union all
select * from judged
