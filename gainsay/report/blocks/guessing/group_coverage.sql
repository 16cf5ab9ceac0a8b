-- title: How many records count together, in groups of the same words with different right answers
select
    benchmark,
    condition,
    n_records,
    n_grouped_records as n_in_groups,
    grouped_share as share,
    n_groups
from audit.audit__group_coverage
order by benchmark, condition
