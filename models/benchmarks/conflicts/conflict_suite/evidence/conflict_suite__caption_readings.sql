with
bases as (select * from {{ ref('conflict_suite__bases') }}),

absent_objects as (
    select * from {{ ref('conflict_suite__absent_objects') }}
    where absence_gap is null
),

-- the caption of each base; and where annotations say that a thing is absent, all captions of the
-- picture
caption_questions as (
    select
        base_id as text_id,
        base_id, question,
        caption as text,
        true as is_base_caption
    from bases
    union all
    select
        bases.base_id || '::' || cast(captions.caption_id as string) as text_id,
        bases.base_id, bases.question,
        captions.caption as text,
        false as is_base_caption
    from absent_objects
    inner join bases using (base_id)
    inner join {{ ref('images__captions') }} as captions using (source_image_id)
),

readings as (
    {{ text_readings('caption_questions') }}
)

select readings.*, caption_questions.base_id, caption_questions.is_base_caption
from readings
inner join caption_questions using (text_id)
