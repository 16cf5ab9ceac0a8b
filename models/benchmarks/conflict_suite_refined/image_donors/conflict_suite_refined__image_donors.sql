{%- set ring = ref('conflict_suite_refined__image_ring') -%}
{%- set seekers = ref('conflict_suite_refined__image_seekers') -%}
with

image_seekers as (

    select * from {{ seekers }}

),

donors as (

    select * from {{ ring }}
    where is_donor

),

nearby_donors as {{ computed_once() }} (

    {{ walk_ring(
        ring, none, var('conflict_suite_donor_windows').image, is_irrelevant_image(),
        seekers=seekers
    ) }}

),

-- the whole ring, for those that found none nearby
farther_donors as (

    {{ walk_ring(ring, 'nearby_donors', none, is_irrelevant_image(), seekers=seekers) }}

),

distances as (

    select * from nearby_donors
    where donor_distance is not null
    union all
    select * from farther_donors
    where donor_distance is not null

),

final as (

    select
        image_seekers.base_id,
        donors.source_image_id as image_donor_id
    from distances
    inner join image_seekers
        on distances.base_id = image_seekers.base_id
    inner join donors
        on
            image_seekers.ring = donors.ring
            and (image_seekers.ring_position + distances.donor_distance)
            % image_seekers.ring_size = donors.ring_position

)

select * from final
