with
candidates as (select * from {{ ref('audit__candidates') }}),

placed_candidates as (
    select
        benchmark, screening, candidate_id, stage, family,
        {{ seeded_order('gate_sample', 'candidate_id') }} as seeded_key,
        row_number() over (
            partition by benchmark, screening, stage, family
            order by {{ seeded_order('gate_sample', 'candidate_id') }}, candidate_id
        ) - 1 as place,
        count(*) over (partition by benchmark, screening, stage, family) as n_of_family
    from candidates
),

-- the first five of each family, then families take turns in proportion to their size
ranked_candidates as (
    select
        *,
        row_number() over (
            partition by benchmark, screening, stage
            order by
                case when place < 5 then 0 else 1 end,
                (place + 0.5) / n_of_family,
                seeded_key,
                candidate_id
        ) as draw
    from placed_candidates
    where place < {{ threshold('shared', 'gate_sample_size') }}
)

select
    candidates.*,
    cast(ranked_candidates.draw as bigint) as draw
from ranked_candidates
inner join candidates
    on
        ranked_candidates.benchmark = candidates.benchmark
        and ranked_candidates.screening = candidates.screening
        and ranked_candidates.candidate_id = candidates.candidate_id
where ranked_candidates.draw <= {{ threshold('shared', 'gate_sample_size') }}
