with
scores as (
    select * from {{ ref('evaluation__scores') }}
    where benchmark = 'amber'
),

-- percentages to one place, as the program keeps them
percentages as (
    select
        source_file, model, run,
        case slice_name when 'overall' then 'all' else slice_value end as dimension,
        max(case metric when 'accuracy' then round(100 * value, 1) end) as accuracy,
        max(case metric when 'precision_of_no' then round(100 * value, 1) end) as precision_of_no,
        max(case metric when 'recall_of_no' then round(100 * value, 1) end) as recall_of_no,
        max(case metric when 'accuracy' then n end) as n
    from scores
    where slice_name in ('overall', 'dimension', 'attribute')
    group by source_file, model, run, slice_name, slice_value
)

-- the program makes F1 of the rounded ones, and adds a little so that it divides by no zero
select
    source_file,
    model,
    run,
    dimension,
    accuracy,
    precision_of_no,
    recall_of_no,
    round(
        100 * 2 * (precision_of_no / 100) * (recall_of_no / 100) / (
            (precision_of_no / 100) + (recall_of_no / 100)
            + case dimension when 'existence' then 0.001 else 0.0001 end
        ), 1
    ) as f1_of_no,
    n
from percentages
