-- letters of answers to enough challenges are as frequent as each other, within the tolerance
{{ config(severity='warn') }}
select *
from {{ ref('reality_check__statistics') }}
where
    slice = 'answer'
    and target is not null
    and n >= {{ rc_threshold('answer_balance_from') }} * share
    and abs(n - target) * share > {{ rc_threshold('answer_balance_tolerance') }} * n
