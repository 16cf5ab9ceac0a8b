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
    select
        'gates' as queue,
        false as has_reasons
    union all
    select
        'gates_with_reasons' as queue,
        true as has_reasons
),

records as (
    select
        queues.queue,
        drawn_candidates.benchmark || '::' || drawn_candidates.screening || '::'
        || drawn_candidates.candidate_id as record_id,
        drawn_candidates.benchmark || ', ' || drawn_candidates.screening as screening,
        drawn_candidates.source_image_id,
        drawn_candidates.split,
        drawn_candidates.family,
        drawn_candidates.question,
        drawn_candidates.answer,
        drawn_candidates.gold_answer,
        {{ array_join('drawn_candidates.texts_seen', "'\n'") }} as texts_seen,
        image_captions.captions,
        case
            when queues.has_reasons and not drawn_candidates.is_retained
                then gates.description || coalesce(': ' || drawn_candidates.drop_detail, '')
        end as reason,
        drawn_candidates.is_retained,
        drawn_candidates.draw
    from drawn_candidates
    cross join queues
    inner join gates using (benchmark, screening, stage)
    left join image_captions using (source_image_id)
),

shown_texts as (
    select
        queue,
        record_id,
        1 as place,
        'Screening' as label,
        screening as shown_text
    from records
    union all
    select
        queue,
        record_id,
        2 as place,
        'Family' as label,
        family as shown_text
    from records
    union all
    select
        queue,
        record_id,
        3 as place,
        'Question' as label,
        question as shown_text
    from records
    union all
    select
        queue,
        record_id,
        4 as place,
        'Answer' as label,
        answer as shown_text
    from records
    union all
    select
        queue,
        record_id,
        5 as place,
        'Gold answer' as label,
        gold_answer as shown_text
    from records
    union all
    select
        queue,
        record_id,
        6 as place,
        'Texts' as label,
        texts_seen as shown_text
    from records
    union all
    select
        queue,
        record_id,
        7 as place,
        'Captions' as label,
        captions as shown_text
    from records
    union all
    select
        queue,
        record_id,
        8 as place,
        'Dropped because' as label,
        reason as shown_text
    from records
),

text_objects as (
    select
        queue,
        record_id,
        place,
        {{ json_object(
            label='label',
            text='shown_text',
            marks=empty_list('bigint'),
            language="'en'",
            direction="'ltr'"
        ) }} as text_object
    from shown_texts
    where shown_text is not null
),

listed_texts as (
    select
        queue,
        record_id,
        {{ array_agg('text_object', order_by='place') }} as texts
    from text_objects
    group by queue, record_id
)

select
    records.queue,
    records.record_id,
    md5({{ canonical_row([
        'records.source_image_id', 'records.family', 'records.question', 'records.answer',
        'records.gold_answer', 'records.texts_seen', 'records.captions', 'records.reason',
    ]) }}) as record_md5,
    records.source_image_id as image_id,
    records.split,
    cast(row_number() over (
        partition by records.queue order by records.draw, md5(records.record_id)
    ) as bigint) as draw,
    -- without reasons the question is one and the same: another one would tell what was dropped
    case
        when records.queue = 'gates' or records.is_retained
            then {{ list_value("'is_right'") }}
        else {{ list_value("'should_be_out'") }}
    end as asked_questions,
    case
        when records.source_image_id is null then {{ empty_list('string') }}
        else {{ list_value("'picture'") }}
    end as picture_roles,
    case
        when records.source_image_id is null then {{ empty_list('string') }}
        else {{ list_value('records.source_image_id') }}
    end as picture_ids,
    {{ json_list('listed_texts.texts') }} as texts,
    '[]' as choices
from records
inner join listed_texts using (queue, record_id)
