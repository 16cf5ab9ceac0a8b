with
groups as (
    {{ union_of_ports(
        'groups', ['group_id', 'example_id', 'condition'], with_question_sets=true
    ) | indent }}
),

-- a group may have its records under several conditions, each of which is a run of its own file
grouped_examples as (
    select
        *,
        count(*) over (partition by benchmark, group_id) as n_records,
        min(condition) over (partition by benchmark, group_id)
        <> max(condition) over (partition by benchmark, group_id) as is_of_several_conditions
    from groups
),

-- controls have no credit of their own, and are right or not all the same
answers as (
    select
        matches.source_file, matches.file_position, matches.benchmark, matches.task, matches.model,
        matches.run, matches.matcher, matches.example_id, grouped_examples.group_id,
        grouped_examples.n_records,
        case
            when not grouped_examples.is_of_several_conditions then matches.source_file
        end as answered_file,
        {{ shown_modality('matches.condition') }} as modality,
        coalesce(matches.credit, {{ one_if('matches.is_correct') }}) = 1 as is_right
    from {{ ref('evaluation__matches') }} as matches
    inner join grouped_examples
        on
            matches.benchmark = grouped_examples.benchmark
            and matches.example_id = grouped_examples.example_id
            and (
                {{ whole_condition('matches.condition') }} = grouped_examples.condition
                or not grouped_examples.is_of_several_conditions
            )
),

counted_answers as (
    select
        *,
        count(*) over answered_group = n_records as is_complete,
        min({{ one_if('is_right') }}) over answered_group = 1 as is_all_right,
        row_number() over (
            partition by source_file, matcher, group_id
            order by example_id
        ) as place_in_file
    from answers
    window answered_group as (
        partition by
            benchmark, task, model, run, matcher, group_id, answered_file, modality
    )
)

-- once in each file that answers some of it
select
    benchmark, source_file, file_position, matcher, group_id, is_complete,
    is_complete and is_all_right as is_right
from counted_answers
where place_in_file = 1
