select
    group_id,
    count(*) as n_examples
from {{ ref('tiny__examples') }}
group by group_id
having count(*) <> 2
