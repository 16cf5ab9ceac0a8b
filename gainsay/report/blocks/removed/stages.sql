-- what each stage of each screening dropped, and which share that is of the candidates it judged
select benchmark, screening, stage, reason, description, n, share_of_arrived
from report.report__stages
order by benchmark, screening, stage_order
