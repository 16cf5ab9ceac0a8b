-- A check that passes leaves no row behind, so the text of the violations' model tells which
-- checks are made, and the texts of these tests which of them can fail a build.
{%- set made = [] %}
{%- set tested = [] %}
{%- if execute %}
    {%- for node in graph.nodes.values() if node.package_name == project_name %}
        {%- if node.name == 'conflict_suite__violations' %}
            {%- set list_of_checks = node.raw_code.split('violations_of(')[1] %}
            {%- do made.extend(modules.re.findall("'\w+'", list_of_checks)) %}
        {%- elif node.resource_type == 'test' %}
            {%- do tested.extend(
                modules.re.findall("where check_name = ('\w+')", node.raw_code)
            ) %}
        {%- endif %}
    {%- endfor %}
{%- endif %}
with
listed as (
    select check_name
    from {{ ref('integrity_checks') }}
),

made as (
    select {{ unnest_list(list_value(*made)) }} as check_name
),

tested as (
    select {{ unnest_list(list_value(*tested)) }} as check_name
),

mentions as (
    select
        check_name,
        'listed' as mention
    from listed
    union all
    select
        check_name,
        'made' as mention
    from made
    union all
    select
        check_name,
        'tested' as mention
    from tested
)

select
    check_name,
    count(*) as n_mentions
from mentions
group by check_name
having count(*) <> 3
