-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{#- Shares of clean, irrelevant and different records by family; crossed groups by kind (A4). -#}
{%- set mix_entries %}
with
examples as (select * from {{ ref('conflict_suite_refined__examples') }}),

mix_counts as (
    select protocol, family, mix_state, count(*) as n_examples
    from examples
    group by protocol, family, mix_state
),

family_counts as (
    select *, sum(n_examples) over (partition by protocol, family) as n_of_family
    from mix_counts
),

group_counts as (
    select protocol, family, group_kind, count(distinct group_id) as n_groups
    from examples
    group by protocol, family, group_kind
)

-- a decimal prints alike on every engine
select
    protocol, 'mix' as section,
    family || ', ' || mix_state as item,
    'n_examples' as measure,
    cast(n_examples as string) as value
from family_counts
union all
select
    protocol, 'mix' as section,
    family || ', ' || mix_state as item,
    'share' as measure,
    cast(
        cast(round(cast(n_examples as double) / n_of_family, 6) as decimal(7, 6))
        as string
    ) as value
from family_counts
union all
select
    protocol, 'mix' as section,
    family || ', ' || group_kind as item,
    'n_groups' as measure,
    cast(n_groups as string) as value
from group_counts
{%- endset -%}

{{ manifest_entries(
    'conflict_suite_refined',
    protocols=var('conflict_suite_refined_protocols'),
    distributions=['family', 'operator', 'oracle_action', 'right_move', 'split'],
    integrity={'checks': 'integrity_checks', 'violations': 'conflict_suite_refined__violations'},
    further_entries=mix_entries
) }}
