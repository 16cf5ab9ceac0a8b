select * from {{ ref('conflict_suite__violations') }}
where check_name = 'no_heldout_record_in_id_splits'
