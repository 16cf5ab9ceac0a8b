-- the entries as they were when this build sealed them; the view computes them anew
select * from {{ ref('certainly_uncertain__manifest_entries') }}
