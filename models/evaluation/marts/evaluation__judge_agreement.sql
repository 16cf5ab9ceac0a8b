with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and reason is null
        and judge_labels is not null

),

labelled as (

    select
        source_file,
        model,
        file_position,
        {{ each('judge_labels') }} as judged
    from predictions

),

labels as (

    select
        source_file,
        model,
        file_position,
        {{ field_of('judged', 'judge') }} as judge,
        upper(trim({{ field_of('judged', 'label') }})) as label
    from labelled

),

judge_labels as (

    select
        label,
        metric
    from {{ ref('clash_judge_labels') }}

),

voted as (

    select
        labels.source_file,
        labels.model,
        labels.file_position,
        judge_labels.metric,
        labels.judge,
        labels.label = judge_labels.label as is_said
    from labels
    cross join judge_labels

),

each_judge as (

    select
        source_file,
        model,
        judge as judges,
        metric,
        avg({{ one_if('is_said') }}) as value,
        count(*) as n
    from voted
    group by source_file, model, judge, metric

),

-- all judges of an answer together: whether any says so, and whether all do
together as (

    select
        source_file,
        model,
        file_position,
        metric,
        {{ any_true('is_said') }} as is_said_by_one,
        not {{ any_true('not is_said') }} as is_said_by_all
    from voted
    group by source_file, model, file_position, metric

),

at_least_one as (

    select
        source_file,
        model,
        'at least one' as judges,
        metric,
        avg({{ one_if('is_said_by_one') }}) as value,
        count(*) as n
    from together
    group by source_file, model, metric

),

all_together as (

    select
        source_file,
        model,
        'all' as judges,
        metric,
        avg({{ one_if('is_said_by_all') }}) as value,
        count(*) as n
    from together
    group by source_file, model, metric

),

agreed as (

    select
        source_file,
        model,
        file_position,
        {{ any_true('is_said_by_all') }} as is_agreed
    from together
    group by source_file, model, file_position

),

agreement as (

    select
        source_file,
        model,
        'all' as judges,
        'agreement' as metric,
        avg({{ one_if('is_agreed') }}) as value,
        count(*) as n
    from agreed
    group by source_file, model

),

scores as (

    select * from each_judge
    union all
    select * from at_least_one
    union all
    select * from all_together
    union all
    select * from agreement

),

final as (

    select
        source_file,
        model,
        judges,
        metric,
        round(100 * value, 9) as value,
        n
    from scores

)

select * from final
