select * from {{ ref('conflict_suite__violations') }}
where check_name = 'no_source_image_crosses_id_splits'
