with
drawn_candidates as (select * from {{ ref('audit__gate_sample') }}),
gates as (select * from {{ ref('audit__gates') }}),
captions as (select * from {{ ref('images__captions') }}),

drawn_images as (
    select distinct source_image_id from drawn_candidates
),

image_captions as (
    select
        captions.source_image_id,
        {{ array_join(
            array_agg('captions.caption', order_by='captions.caption_position'), "'\n'"
        ) }}
            as captions
    from captions
    inner join drawn_images using (source_image_id)
    group by captions.source_image_id
),

-- a reader sees the reason in one queue and not in the other, so that the queue says which
queues as (
    select 'gates' as queue, false as has_reasons
    union all
    select 'gates_with_reasons' as queue, true as has_reasons
),

records as (
    select
        queues.queue,
        drawn_candidates.benchmark || '::' || drawn_candidates.screening || '::'
        || drawn_candidates.candidate_id as record_id,
        drawn_candidates.benchmark || ', ' || drawn_candidates.screening as screening,
        drawn_candidates.source_image_id, drawn_candidates.split, drawn_candidates.family,
        drawn_candidates.question, drawn_candidates.answer, drawn_candidates.gold_answer,
        -- before a question is made of it, what it would ask about
        case
            when drawn_candidates.question is null
                then nullif({{ array_join('drawn_candidates.evidence_words', "', '") }}, '')
        end as would_ask_about,
        {{ array_join('drawn_candidates.texts_seen', "'\n'") }} as texts_seen,
        image_captions.captions,
        case
            when queues.has_reasons and not drawn_candidates.is_retained
                then gates.description || coalesce(': ' || drawn_candidates.drop_detail, '')
        end as reason,
        drawn_candidates.is_retained, drawn_candidates.draw
    from drawn_candidates
    cross join queues
    inner join gates using (benchmark, screening, stage)
    left join image_captions using (source_image_id)
)

select
    queue,
    record_id,
    md5({{ canonical_row([
        'source_image_id', 'family', 'coalesce(question, would_ask_about)', 'answer',
        'gold_answer', 'texts_seen', 'captions', 'reason',
    ]) }}) as record_md5,
    source_image_id as image_id,
    split,
    cast(row_number() over (
        partition by queue order by draw, md5(record_id)
    ) as bigint) as draw,
    -- without reasons the question is one and the same: another one would tell what was dropped
    case
        when queue = 'gates' or is_retained then {{ list_value("'is_right'") }}
        else {{ list_value("'should_be_out'") }}
    end as asked_questions,
    case
        when source_image_id is null then {{ empty_list('string') }}
        else {{ list_value("'picture'") }}
    end as picture_roles,
    case
        when source_image_id is null then {{ empty_list('string') }}
        else {{ list_value('source_image_id') }}
    end as picture_ids,
    {{ shown_texts(
        shown_text("'Screening'", 'screening'),
        shown_text("'Family'", 'family'),
        shown_text("'Question'", 'question'),
        shown_text("'Would ask about'", 'would_ask_about'),
        shown_text("'Answer'", 'answer'),
        shown_text("'Gold answer'", 'gold_answer'),
        shown_text("'Texts'", 'texts_seen'),
        shown_text("'Captions'", 'captions'),
        shown_text("'Dropped because'", 'reason')
    ) }} as texts,
    '[]' as choices
from records
