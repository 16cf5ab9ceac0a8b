-- the entries as they were when this build sealed them; the view computes them anew
select * from {{ ref('occlusions__manifest_entries') }}
