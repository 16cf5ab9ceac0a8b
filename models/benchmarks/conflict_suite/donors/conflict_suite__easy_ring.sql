select
    base_id,
    'all' as ring,
    image_id,
    -- one number per distinct caption text: comparing numbers is comparing texts
    min(question_id) over (partition by caption) as caption_key,
    row_number() over (
        order by {{ seeded_order('easy_donor', 'base_id') }}, base_id
    ) - 1 as ring_position,
    count(*) over () as ring_size
from {{ ref('conflict_suite__bases') }}
