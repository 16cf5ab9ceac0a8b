{%- set ring = ref('conflict_suite__easy_ring') -%}
with
nearby_donors as {{ computed_once() }} (
    {{ walk_ring(ring, none, var('conflict_suite_donor_windows').easy, is_other_base()) }}
),

-- the whole ring: seekers come here only where one picture or text fills most of a corpus
farther_donors as (
    {{ walk_ring(ring, 'nearby_donors', none, is_other_base()) }}
)

select * from nearby_donors
where donor_distance is not null
union all
select * from farther_donors
