-- a view: landing asks it about the file that has just landed
{{ config(materialized='view') }}
with
names as (select * from {{ ref('evaluation__example_names') }}),

-- a file of POPE's own has no ids, and a published CLASH record brings its sample along
answers as (
    select
        source_file, file_position, benchmark, condition, example_key,
        {{ plain_key('example_key') }} as plain_key
    from {{ ref('stg_gainsay__predictions') }}
    where
        not (benchmark = 'pope' and example_key like 'line %')
        and not (benchmark = 'clash' and image_only_answer is not null)
),

named_answers as (
    select
        answers.source_file, answers.file_position, answers.benchmark, answers.condition,
        answers.example_key,
        min(names.condition) as name_condition,
        count(names.name) > 0 as is_name,
        coalesce(
            bool_or(names.condition in ('any', {{ whole_condition('answers.condition') }})), false
        ) as is_asked
    from answers
    left join names
        on answers.benchmark = names.benchmark and answers.plain_key = names.name
    group by
        answers.source_file, answers.file_position, answers.benchmark, answers.condition,
        answers.example_key
),

-- a benchmark that is not built has no ids that could be wanted
wanted_ids as (
    select benchmark, min(example_id) as wanted_id
    from names
    group by benchmark
)

select
    named_answers.source_file,
    named_answers.benchmark,
    named_answers.condition,
    min(case when not named_answers.is_name then named_answers.example_key end) as unknown_id,
    min(
        case
            when named_answers.is_name and not named_answers.is_asked
                then named_answers.example_key
        end
    ) as misplaced_id,
    min(
        case
            when named_answers.is_name and not named_answers.is_asked
                then named_answers.name_condition
        end
    ) as other_condition,
    min(wanted_ids.wanted_id) as wanted_id,
    count(*) as n_answers,
    cast(sum(case when named_answers.is_name then 0 else 1 end) as bigint) as n_unknown,
    cast(
        sum(case when named_answers.is_name and not named_answers.is_asked then 1 else 0 end)
        as bigint
    ) as n_misplaced
from named_answers
inner join wanted_ids on named_answers.benchmark = wanted_ids.benchmark
group by named_answers.source_file, named_answers.benchmark, named_answers.condition
