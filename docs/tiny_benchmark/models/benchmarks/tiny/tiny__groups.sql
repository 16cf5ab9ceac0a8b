-- no two claims are put in the same words, so that none has a partner with another answer
select
    group_id,
    example_id,
    'default' as condition,
    operator as role
from {{ ref('tiny__examples') }}
where false
