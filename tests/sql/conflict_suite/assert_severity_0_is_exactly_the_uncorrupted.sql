select * from {{ ref('conflict_suite__violations') }}
where check_name = 'severity_matches_corruption'
