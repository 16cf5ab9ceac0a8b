select * from {{ ref('conflict_suite__violations') }}
where check_name = 'every_swap_has_a_donor'
