select * from {{ ref('conflict_suite__violations') }}
where check_name = 'every_base_has_its_variants'
