select * from {{ ref('conflict_suite__violations') }}
where check_name = 'ood_family_is_heldout'
