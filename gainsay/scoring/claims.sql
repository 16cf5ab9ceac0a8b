-- what confidence-weighted accuracy goes with, over more than two runs
select benchmark, other_metric, n, pearson, spearman
from evaluation.evaluation__metric_correlations
where n > 2 and (getvariable('benchmark') is null or benchmark = getvariable('benchmark'))
order by benchmark, other_metric
