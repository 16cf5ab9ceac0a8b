with
proposals as (
    select * from {{ ref('contradictions__proposals') }}
    where is_fitting
),

placed_proposals as (
    {{ seeded_places('proposals', 'proposal_review', 'proposal_id') }}
),

drawn_proposals as (
    select
        *,
        cast(seeded_place + 1 as bigint) as draw,
        span_start - 1 as mark_start,
        span_start - 1 + span_length as original_end,
        span_start - 1 + length(replacement) as edited_end
    from placed_proposals
    where seeded_place < {{ threshold('shared', 'reviewed_proposals') }}
)

select
    'proposals' as queue,
    proposal_id as record_id,
    md5({{ canonical_row(['source_image_id', 'caption', 'edited_caption']) }}) as record_md5,
    source_image_id as image_id,
    cast(null as string) as split,
    draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ list_value("'picture'") }} as picture_roles,
    {{ list_value('source_image_id') }} as picture_ids,
    {{ shown_texts(
        shown_text(
            "'Caption'", 'caption', marks=list_value(list_value('mark_start', 'original_end'))
        ),
        shown_text(
            "'Edited caption'", 'edited_caption',
            marks=list_value(list_value('mark_start', 'edited_end'))
        )
    ) }} as texts,
    '[]' as choices
from drawn_proposals
