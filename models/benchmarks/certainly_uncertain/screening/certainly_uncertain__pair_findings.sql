with
pairs as (
    select pair_id, source_image_id, open_image_id
    from {{ ref('certainly_uncertain__pair_candidates') }}
),

withdrawn_images as (select * from {{ ref('stg_gainsay__withdrawn_images') }}),

people_verdicts as (
    select * from {{ ref('people__verdicts') }}
    where benchmark = 'certainly_uncertain' and queue = 'verification' and is_decided
),

-- a verdict counts while the pair is the one that its readers saw
verdicts as (
    select record_hashes.pair_id, people_verdicts.verdict, people_verdicts.is_accepted
    from people_verdicts
    inner join {{ ref('certainly_uncertain__record_hashes') }} as record_hashes
        on
            people_verdicts.record_id = record_hashes.pair_id
            and people_verdicts.record_md5 = record_hashes.record_md5
)

select
    pairs.pair_id as candidate_id,
    -- most of the people who saw the pair kept it; a tie is for the next stage
    verdicts.is_accepted as passes_verification,
    case when not verdicts.is_accepted then verdicts.verdict end as verification_detail,
    -- people came to a verdict: a pair that they leave open is not given out as right
    case when verdicts.pair_id is not null then verdicts.is_accepted is not null end
        as passes_undecided,
    -- neither picture was taken down
    withdrawn_images.source_image_id is null
    and withdrawn_open_images.source_image_id is null as passes_withdrawal,
    coalesce(withdrawn_images.reason, withdrawn_open_images.reason) as withdrawal_detail,
    -- the picture that the object is taken out of is landed: without it the recipe stands, and
    -- the pair is no example
    case when removals.pair_id is not null then files.source_image_id is not null end
        as passes_picture_missing,
    -- the object could be taken out of the picture; nothing fails where pictures are not
    -- rendered
    case
        when coalesce(renderings.rendered_file, renderings.error_kind) is not null
            then renderings.error_kind is null
    end as passes_render_failed,
    renderings.error as render_failed_detail
from pairs
left join verdicts using (pair_id)
left join withdrawn_images using (source_image_id)
left join withdrawn_images as withdrawn_open_images
    on pairs.open_image_id = withdrawn_open_images.source_image_id
left join {{ ref('certainly_uncertain__removals') }} as removals using (pair_id)
left join {{ ref('images__files') }} as files on removals.source_image_id = files.source_image_id
left join {{ ref('certainly_uncertain__renderings') }} as renderings
    on removals.pair_id || '::unanswerable' = renderings.recipe_id
