select * from {{ ref('conflict_suite__violations') }}
where check_name = 'example_id_is_unique'
