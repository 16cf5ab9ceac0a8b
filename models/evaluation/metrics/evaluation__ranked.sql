with
matches as (
    select
        source_file, matcher, file_position, example_id, confidence, credit,
        {{ seeded_key('risk_coverage', 'example_id') }} as tie
    from {{ ref('evaluation__matches') }}
    where confidence is not null and credit is not null
),

slice_answers as (
    select
        matches.source_file, matches.matcher, slices.slice_name, slices.slice_value,
        matches.example_id, matches.confidence, matches.credit, matches.tie
    from matches
    inner join {{ ref('evaluation__scored_answers') }}
        using (source_file, matcher, file_position)
    inner join {{ ref('evaluation__slices') }} as slices using (source_file, matcher, cell)
)

-- the surest first; among equals an order that knows nothing of the answers
select
    * {{ exclude('tie') }},
    row_number() over surest_first as place,
    count(*) over (partition by source_file, matcher, slice_name, slice_value) as n,
    1 - sum(credit) over surest_first / row_number() over surest_first as risk
from slice_answers
window surest_first as (
    partition by source_file, matcher, slice_name, slice_value
    order by confidence desc, tie asc, example_id asc
    rows between unbounded preceding and current row
)
