-- a view: it counts the ids of two ports
{{ config(materialized='view') }}
with
-- what is asked in several tasks is one record
records as (
    select distinct benchmark, condition, example_id
    from (
        {{ union_of_ports('prompts', ['condition', 'example_id']) | indent(8) }}
    ) as prompts
),

groups as (
    {{ union_of_ports('groups', ['group_id', 'example_id', 'condition']) | indent }}
)

select
    records.benchmark,
    records.condition,
    count(*) as n_records,
    count(groups.example_id) as n_grouped_records,
    count(distinct groups.group_id) as n_groups,
    cast(count(groups.example_id) as double) / count(*) as grouped_share
from records
left join groups using (benchmark, example_id, condition)
group by records.benchmark, records.condition
