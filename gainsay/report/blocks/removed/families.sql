-- title: where the candidates of each family ended
-- folded: yes
select benchmark, screening, stage, family, n as n_candidates, share
from audit.audit__funnel
order by benchmark, screening, stage_order, family
