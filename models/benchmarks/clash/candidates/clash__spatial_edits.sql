-- a view: a language model is asked about a few of its rows
{{ config(materialized='view') }}
with
proposals as (
    select * from {{ ref('contradictions__proposals') }}
    where change_type = 'relation' and is_fitting
),

ranked_proposals as (
    select
        *,
        row_number() over (
            partition by source_image_id
            order by {{ seeded_order('clash', 'proposal_id') }}, proposal_id
        ) as draw
    from proposals
)

select
    ranked_proposals.proposal_id, images.image_id, ranked_proposals.source_image_id,
    trim(ranked_proposals.caption) as original_caption,
    trim(ranked_proposals.edited_caption) as conflicting_caption,
    ranked_proposals.changed_from as original_words,
    ranked_proposals.changed_to as conflicting_words,
    ranked_proposals.category,
    ranked_proposals.subcategory as relation
from ranked_proposals
left join {{ ref('images__source_images') }} as images using (source_image_id)
where ranked_proposals.draw <= {{ var('clash_samples_per_image') }}
