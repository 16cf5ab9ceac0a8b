with
drops as (select * from {{ ref('audit__drops') }}),

ranked_drops as (
    select
        drops.benchmark, drops.screening, drops.candidate_id,
        coalesce(photographs.picture_state = 'shown', false) as has_picture,
        row_number() over (
            partition by drops.benchmark, drops.screening, drops.stage
            order by {{ seeded_order('report', 'drops.candidate_id') }}, drops.candidate_id
        ) as place,
        row_number() over (
            partition by
                drops.benchmark,
                drops.screening,
                drops.stage,
                coalesce(photographs.picture_state = 'shown', false)
            order by {{ seeded_order('report', 'drops.candidate_id') }}, drops.candidate_id
        ) as place_alike
    from drops
    left join {{ ref('report__photographs') }} as photographs using (source_image_id)
),

-- the seeded sample, and behind it the first few that can be shown with their picture
chosen_drops as (
    select *, place > {{ threshold('shared', 'examples_per_reason') }} as is_chosen_for_picture
    from ranked_drops
    where
        place <= {{ threshold('shared', 'examples_per_reason') }}
        or (
            has_picture
            and place_alike <= {{ threshold('shared', 'pictured_examples_per_reason') }}
        )
)

select
    drops.benchmark, drops.screening, drops.stage, drops.reason, drops.candidate_id, drops.family,
    drops.source_image_id, drops.image_file, drops.question, drops.answer, drops.gold_answer,
    drops.evidence_words, drops.captions_seen, drops.what_failed,
    cast(chosen_drops.place as bigint) as place,
    chosen_drops.is_chosen_for_picture
from chosen_drops
inner join drops using (benchmark, screening, candidate_id)
