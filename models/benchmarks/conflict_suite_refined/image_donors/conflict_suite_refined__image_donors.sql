with

seekers as (

    select * from {{ ref('conflict_suite_refined__image_seekers') }}

),

donors as (

    select * from {{ ref('conflict_suite_refined__image_ring') }}
    where is_donor

),

distances as (

    select * from {{ ref('conflict_suite_refined__image_donors_nearby') }}
    where donor_distance is not null
    union all
    select * from {{ ref('conflict_suite_refined__image_donors_anywhere') }}
    where donor_distance is not null

),

final as (

    select
        seekers.base_id,
        donors.source_image_id as image_donor_id
    from distances
    inner join seekers
        on distances.base_id = seekers.base_id
    inner join donors
        on
            seekers.ring = donors.ring
            and (seekers.ring_position + distances.donor_distance) % seekers.ring_size
            = donors.ring_position

)

select * from final
