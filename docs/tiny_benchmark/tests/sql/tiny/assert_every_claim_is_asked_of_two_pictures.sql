with

examples as (

    select * from {{ ref('tiny__examples') }}

)

select
    group_id,
    count(*) as n_examples
from examples
group by group_id
having count(*) <> 2
