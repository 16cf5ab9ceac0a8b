-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

{{ union_of_ports('measures', with_question_sets=true) }}
union all
select
    groups.benchmark, groups.source_file, groups.file_position, groups.matcher, metrics.metric,
    case metrics.metric
        when 'group_accuracy' then {{ one_if('groups.is_right') }}
        else {{ one_if('groups.is_complete') }}
    end as numerator,
    cast(1 as double) as denominator
from {{ ref('evaluation__group_answers') }} as groups
inner join {{ ref('evaluation__metrics') }} as metrics
    on
        groups.benchmark = metrics.benchmark
        and metrics.metric in ('group_accuracy', 'group_completeness')
