select
    pair_id as candidate_id,
    -- of one question no more open pictures than a question may have are drawn
    is_drawn as passes_draw,
    -- another picture answers the question, and is no other's partner
    has_partner as passes_partner
from {{ ref('certainly_uncertain__people_pairs') }}
