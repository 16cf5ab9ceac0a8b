select * from {{ ref('conflict_suite__violations') }}
where check_name = 'screening_conserves_rows'
