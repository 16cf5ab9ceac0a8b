with

labels as (

    select * from {{ ref('evaluation__judge_labels') }}
    where reason is null

),

metrics as (

    select
        label,
        metric
    from {{ ref('clash_judge_labels') }}

),

voted as (

    select
        labels.source_file,
        labels.condition,
        labels.model,
        labels.run,
        labels.example_id,
        labels.source_image_id,
        labels.judge as judges,
        metrics.metric,
        labels.label = metrics.label as is_said
    from labels
    cross join metrics

),

panels as (

    select
        source_file,
        count(distinct judge) as n_judges
    from labels
    group by source_file

),

-- all judges of a run together: whether any says so, and whether all do; nobody speaks for one
-- who gave no label, and one alone is no panel
together as (

    select
        voted.source_file,
        voted.condition,
        voted.model,
        voted.run,
        voted.example_id,
        voted.source_image_id,
        voted.metric,
        {{ any_true('voted.is_said') }} as is_said_by_one,
        not {{ any_true('not voted.is_said') }} as is_said_by_all
    from voted
    inner join panels
        on voted.source_file = panels.source_file
    where panels.n_judges > 1
    group by
        voted.source_file, voted.condition, voted.model, voted.run, voted.example_id,
        voted.source_image_id, voted.metric, panels.n_judges
    having count(*) = panels.n_judges

),

at_least_one as (

    select
        source_file,
        condition,
        model,
        run,
        example_id,
        source_image_id,
        'at least one' as judges,
        metric,
        is_said_by_one as is_said
    from together

),

all_together as (

    select
        source_file,
        condition,
        model,
        run,
        example_id,
        source_image_id,
        'all' as judges,
        metric,
        is_said_by_all as is_said
    from together

),

agreed as (

    select
        source_file,
        condition,
        model,
        run,
        example_id,
        source_image_id,
        'all' as judges,
        'agreement' as metric,
        {{ any_true('is_said_by_all') }} as is_said
    from together
    group by source_file, condition, model, run, example_id, source_image_id

),

said as (

    select * from voted
    union all
    select * from at_least_one
    union all
    select * from all_together
    union all
    select * from agreed

),

gathered as (

    select
        source_file,
        condition,
        model,
        run,
        judges,
        metric,
        avg({{ one_if('is_said') }}) as value,
        {{ rows_of_share(
            one_if('is_said'), example_id='example_id', source_image_id='source_image_id'
        ) }} as scored_rows,
        count(*) as n
    from said
    group by source_file, condition, model, run, judges, metric

),

resampled as (

    select
        source_file,
        condition,
        model,
        run,
        judges,
        metric,
        value,
        {{ each(errors_of_share('scored_rows', 'n')) }} as error,
        n
    from gathered

),

final as (

    select
        source_file,
        condition,
        model,
        run,
        judges,
        metric,
        round(100 * value, 9) as value,
        round(100 * {{ field_of('error', 'standard_deviation') }}, 9) as standard_deviation,
        round(
            100 * {{ field_of('error', 'clustered_standard_error') }}, 9
        ) as clustered_standard_error,
        n
    from resampled

)

select * from final
