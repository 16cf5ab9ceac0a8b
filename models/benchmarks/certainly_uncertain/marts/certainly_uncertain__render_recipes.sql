with
-- a question that fails here makes no pair, however its picture looks; later stages look at
-- pictures
failures as (
    {{ first_failures(
        'certainly_uncertain', 'pairs_from_images', before='certainly_uncertain__pair_findings'
    ) }}
)

select
    removals.pair_id || '::unanswerable' as recipe_id,
    removals.source_image_id,
    'inpaint_remove' as family,
    removals.pair_id as seed_key,
    removals.rle,
    cast(null as string) as parameters,
    1 as severity,
    cast(null as double) as area_fraction
from {{ ref('certainly_uncertain__removals') }} as removals
left join failures on removals.pair_id = failures.candidate_id
where failures.candidate_id is null
