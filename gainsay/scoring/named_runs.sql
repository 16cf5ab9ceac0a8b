-- the runs that a name may be of: a model's, or `<model>/<run>`; a model's default run is the first
select distinct model, run
from evaluation.evaluation__matches
where model = getvariable('name') or model || '/' || run = getvariable('name')
order by run <> 'default', run
