with
-- a question that fails before its mask and captions are looked at needs neither
failures as (
    {{ first_failures(
        'certainly_uncertain', 'pairs_from_images', before='certainly_uncertain__removal_findings'
    ) }}
)

select candidates.*
from {{ ref('certainly_uncertain__image_candidates') }} as candidates
left join failures on candidates.pair_id = failures.candidate_id
where failures.candidate_id is null
