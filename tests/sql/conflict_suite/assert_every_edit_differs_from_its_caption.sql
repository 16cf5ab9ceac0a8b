select * from {{ ref('conflict_suite__violations') }}
where check_name = 'every_edit_differs'
