with
bases as (select * from {{ ref('conflict_suite__bases') }}),

placed_bases as (
    {{ seeded_places('bases', 'easy_donor', 'base_id') }}
)

select
    base_id, 'all' as ring, image_id,
    -- one number per distinct caption text: comparing numbers is comparing texts
    min(question_id) over (partition by caption) as caption_key,
    seeded_place as ring_position,
    n_places as ring_size
from placed_bases
-- a walk compares neighbours on a ring: they lie side by side
{{ stored_by(['ring', 'ring_position']) }}
