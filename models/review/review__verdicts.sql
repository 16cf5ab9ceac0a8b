-- a verdict stands for the record that its readers saw
select
    verdicts.benchmark, verdicts.queue, verdicts.record_id, verdicts.question, records.image_id,
    records.split, verdicts.verdict, verdicts.n_votes, verdicts.n_accepting, verdicts.is_accepted,
    verdicts.is_decided, verdicts.is_settled
from {{ ref('people__verdicts') }} as verdicts
inner join {{ ref('review__records') }} as records using (benchmark, queue, record_id, record_md5)
