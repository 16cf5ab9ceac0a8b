-- title: what each stage dropped and left
-- draw: stages
-- link: n_ended: benchmark, screening, stage=of_stage
-- prose: description
with entered as (
    select
        benchmark,
        screening,
        'candidates' as stage,
        max(n_candidates) as n_ended,
        'all that entered the screening' as description,
        max(n_candidates) as n_candidates,
        true as is_retained,
        -1 as place
    from report.report__stages
    group by benchmark, screening
),

ended as (
    select
        stages.benchmark,
        stages.screening,
        stages.stage,
        stages.n as n_ended,
        stages.share as of_all_share,
        stages.share_of_arrived as of_those_that_came_share,
        case when not stages.is_retained then stages.n_left end as n_left,
        case
            when judged.n > 0
                then concat(
                    round(judged.share * 100, 1), ' % of ', judged.n, ' (',
                    round(judged.low * 100, 1), ' to ', round(judged.high * 100, 1), ')'
                )
        end as right_people_say,
        stages.description,
        stages.n_candidates,
        stages.is_retained,
        stages.stage_order as place
    from report.report__stages as stages
    left join audit.audit__gate_precision as judged
        on
            stages.benchmark = judged.benchmark
            and stages.screening = judged.screening
            and stages.stage = judged.stage
)

select * exclude (place), nullif(stage, 'candidates') as of_stage
from (
    select * from ended
    union all by name
    select * from entered
) as stages
order by benchmark, screening, place
