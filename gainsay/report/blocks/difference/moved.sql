-- title: candidates that moved, and why
-- folded: yes
-- prose: question
-- code: candidate
-- up to twelve of each move, drawn by hash, those first whose picture can be shown; a candidate
-- that is in one build alone is `not there` in the other
with moved as (
    select
        coalesce(now.benchmark, earlier.benchmark) as benchmark,
        coalesce(now.screening, earlier.screening) as screening,
        coalesce(now.candidate_id, earlier.candidate_id) as candidate,
        coalesce(now.source_image_id, earlier.source_image_id) as source_image_id,
        coalesce(now.question, earlier.question) as question,
        coalesce(now.gold_answer, earlier.gold_answer) as gold_answer,
        coalesce(earlier.stage, 'not there') as stage_before,
        concat_ws(': ', nullif(earlier.reason, 'retained'), earlier.drop_detail) as why_before,
        coalesce(now.stage, 'not there') as stage_now,
        concat_ws(': ', nullif(now.reason, 'retained'), now.drop_detail) as why_now
    from audit.audit__candidates as now
    full join other.audit.audit__candidates as earlier
        on
            now.benchmark = earlier.benchmark
            and now.screening = earlier.screening
            and now.candidate_id = earlier.candidate_id
    where now.stage is distinct from earlier.stage
),

drawn as (
    select
        moved.*,
        count(*) over (
            partition by moved.benchmark, moved.screening, moved.stage_before, moved.stage_now
        ) as n_alike,
        row_number() over (
            partition by moved.benchmark, moved.screening, moved.stage_before, moved.stage_now
            order by
                coalesce(photographs.picture_state = 'shown', false) desc,
                md5(moved.candidate) asc
        ) as place
    from moved
    left join report.report__photographs as photographs
        on moved.source_image_id = photographs.source_image_id
)

select * exclude (n_alike, place)
from drawn
where place <= 12
order by
    benchmark asc,
    n_alike desc,
    screening asc,
    stage_before asc,
    stage_now asc,
    place asc
