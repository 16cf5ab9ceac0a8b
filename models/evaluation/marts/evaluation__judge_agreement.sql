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
        labels.file_position,
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
        voted.file_position,
        voted.metric,
        bool_or(voted.is_said) as is_said_by_one,
        not bool_or(not voted.is_said) as is_said_by_all
    from voted
    inner join panels
        on voted.source_file = panels.source_file
    where panels.n_judges > 1
    group by voted.source_file, voted.file_position, voted.metric, panels.n_judges
    having count(*) = panels.n_judges

),

agreed as (

    select
        source_file,
        file_position,
        'all' as judges,
        'agreement' as metric,
        bool_or(is_said_by_all) as is_said
    from together
    group by source_file, file_position

),

said as (

    select * from voted
    union all
    select
        source_file,
        file_position,
        'at least one' as judges,
        metric,
        is_said_by_one as is_said
    from together
    union all
    select
        source_file,
        file_position,
        'all' as judges,
        metric,
        is_said_by_all as is_said
    from together
    union all
    select * from agreed

),

answers as (

    select distinct
        source_file,
        condition,
        model,
        run,
        example_id,
        source_image_id,
        file_position
    from labels

),

shares as (

    select
        answers.source_file,
        answers.condition,
        answers.model,
        answers.run,
        said.judges,
        said.metric,
        avg({{ one_if('said.is_said') }}) as value,
        {{ error_of_share(
            one_if('said.is_said'), example_id='answers.example_id',
            source_image_id='answers.source_image_id'
        ) }} as error,
        count(*) as n
    from said
    inner join answers
        on
            said.source_file = answers.source_file
            and said.file_position = answers.file_position
    group by
        answers.source_file, answers.condition, answers.model, answers.run, said.judges,
        said.metric

),

final as (

    select
        source_file,
        condition,
        model,
        run,
        judges,
        metric,
        {{ percentage('value') }} as value,
        {{ percentage(struct_extract('error', 'standard_deviation')) }} as standard_deviation,
        {{ percentage(struct_extract('error', 'clustered_standard_error')) }}
            as clustered_standard_error,
        n
    from shares

)

select * from final
