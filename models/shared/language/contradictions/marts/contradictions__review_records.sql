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
    where seeded_place < {{ var('contradictions_reviewed_proposals') }}
),

text_objects as (
    select
        proposal_id,
        1 as place,
        {{ json_object(
            label="'Caption'",
            text='caption',
            marks=list_value(list_value('mark_start', 'original_end')),
            language="'en'",
            direction="'ltr'"
        ) }} as text_object
    from drawn_proposals
    union all
    select
        proposal_id,
        2 as place,
        {{ json_object(
            label="'Edited caption'",
            text='edited_caption',
            marks=list_value(list_value('mark_start', 'edited_end')),
            language="'en'",
            direction="'ltr'"
        ) }} as text_object
    from drawn_proposals
),

listed_texts as (
    select
        proposal_id,
        {{ array_agg('text_object', order_by='place') }} as texts
    from text_objects
    group by proposal_id
)

select
    'proposals' as queue,
    drawn_proposals.proposal_id as record_id,
    md5({{ canonical_row([
        'drawn_proposals.source_image_id', 'drawn_proposals.caption',
        'drawn_proposals.edited_caption',
    ]) }}) as record_md5,
    drawn_proposals.source_image_id as image_id,
    cast(null as string) as split,
    drawn_proposals.draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ list_value("'picture'") }} as picture_roles,
    {{ list_value('drawn_proposals.source_image_id') }} as picture_ids,
    {{ json_list('listed_texts.texts') }} as texts,
    '[]' as choices
from drawn_proposals
inner join listed_texts using (proposal_id)
