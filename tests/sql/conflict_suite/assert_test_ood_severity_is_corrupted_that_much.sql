select * from {{ ref('conflict_suite__violations') }}
where check_name = 'ood_severity_is_heldout'
