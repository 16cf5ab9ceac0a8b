-- title: Records that never became candidates
-- prose: for_example
-- the records of input files that no screening begins with
select
    source_file as file,
    record_kind as kind,
    reason,
    count(*) as n_records,
    min(what_failed) as for_example
from audit.audit__rejected_inputs
group by source_file, record_kind, reason
order by source_file, record_kind, reason
