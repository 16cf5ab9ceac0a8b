select
    pair_id as candidate_id,
    -- more than one text says the answer, where there are enough texts to expect it
    is_supported as passes_support,
    -- no text of a picture contradicts its side
    contradiction is null as passes_contradiction,
    contradiction as contradiction_detail,
    -- a picture answers the question and another leaves it open, and they are as many: pictures
    -- beyond that have no partner
    is_two_sided and coalesce(has_partner, true) as passes_partner,
    -- of several questions that a picture could be asked so many are drawn as a category asks
    is_drawn as passes_draw
from {{ ref('certainly_uncertain__stem_pairs') }}
