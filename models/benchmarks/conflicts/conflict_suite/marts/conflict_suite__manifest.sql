-- the entries as they were when this build sealed them; the view computes them anew
select * from {{ ref('conflict_suite__manifest_entries') }}
