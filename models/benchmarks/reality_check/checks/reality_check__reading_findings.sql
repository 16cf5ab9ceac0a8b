with
readings as (select * from {{ ref('reality_check__readings') }}),

questions as (
    select distinct queue, question
    from {{ ref('review_questions') }}
    where benchmark = 'reality_check'
),

decided_verdicts as (
    select * from {{ ref('people__verdicts') }}
    where benchmark = 'reality_check' and is_decided
),

-- a verdict counts while the record is the one that its readers saw; two readers of two name an
-- outline, since one of two is no majority
answers as (
    select
        readings.pair_id, readings.is_awaited,
        nullif(verdicts.verdict, 'undecided') as answer,
        verdicts.verdict as said,
        readings.queue || ', ' || questions.question as asked,
        case when verdicts.verdict = 'undecided' then ': readers differ' else '' end as doubt,
        case
            when readings.right_answer is null then verdicts.is_accepted
            when verdicts.verdict <> 'undecided' then verdicts.verdict = readings.right_answer
        end as is_borne_out
    from readings
    inner join questions using (queue)
    left join decided_verdicts as verdicts
        on
            readings.queue = verdicts.queue
            and readings.record_id = verdicts.record_id
            and readings.record_md5 = verdicts.record_md5
            and questions.question = verdicts.question
)

select
    pair_id,
    -- no answer speaks against it
    count(case when not is_borne_out then 1 end) = 0 as passes_readers,
    min(case when not is_borne_out then asked || ': ' || answer end)
        as readers_detail,
    -- nothing that is awaited is missing, and readers agree on all that they answered
    count(case when answer is null and (is_awaited or said is not null) then 1 end) = 0
        as has_readings,
    min(case when answer is null and (is_awaited or said is not null) then asked || doubt end)
        as awaiting_detail
from answers
group by pair_id
