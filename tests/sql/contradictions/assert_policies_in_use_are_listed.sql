-- a misspelt policy would hear no editor
with
wanted as (
    select
        'editor_policy' as var_name,
        '{{ var("editor_policy") }}' as policy
    union all
    select
        'clash_judges' as var_name,
        '{{ var("clash_judges") }}' as policy
),

listed as (
    select
        'editor_policy' as var_name,
        policy
    from {{ ref('editor_policies') }}
    union all
    select
        'clash_judges' as var_name,
        policy
    from {{ ref('clash_judge_policies') }}
)

select wanted.*
from wanted
left join listed
    on
        wanted.var_name = listed.var_name
        and wanted.policy = listed.policy
where listed.policy is null
