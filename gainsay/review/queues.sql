-- the queues that have records, and how many people look at each record of them
select queues.benchmark, queues.queue, queues.title, queues.task, progress.votes_per_record
from vocabulary.review_queues as queues
inner join review.review__progress as progress using (benchmark, queue)
where
    progress.reader = 'all'
    and queues.benchmark = coalesce(getvariable('benchmark'), queues.benchmark)
    and queues.queue = coalesce(getvariable('queue'), queues.queue)
order by queues.benchmark, queues.queue
