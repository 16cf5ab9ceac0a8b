with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

-- masks and captions are looked at for questions that are worth it
failures as (

    {{ first_failed_gate('certainly_uncertain', object_gates(), screening='pairs_from_images') }}

),

final as (

    select candidates.*
    from candidates
    left join failures
        on candidates.pair_id = failures.candidate_id
    where failures.candidate_id is null

)

select * from final
