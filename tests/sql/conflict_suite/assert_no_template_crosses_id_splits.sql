select * from {{ ref('conflict_suite__violations') }}
where check_name = 'no_template_crosses_id_splits'
