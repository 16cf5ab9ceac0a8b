with
bases as (select * from {{ ref('conflict_suite__bases') }}),
absent_objects as (select * from {{ ref('conflict_suite__absent_objects') }}),

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
    where absent_objects.absence_gap is null
),

readings as (
    {{ text_readings('caption_questions') }}
),

-- what each says of what the question asks for, and how often all captions of a picture name what
-- its annotations say is absent
caption_readings as (
    select
        caption_questions.base_id, caption_questions.is_base_caption, readings.asked_noun,
        readings.question_gap, readings.answer, readings.answer_gap, readings.number_said,
        sum(case when not caption_questions.is_base_caption then readings.n_mentions end)
            over (partition by caption_questions.base_id) as n_absent_mentions
    from readings
    inner join caption_questions using (text_id)
),

-- "no" is not read off a caption: that none names a thing does not mean that it is not there
gaps as (
    select
        bases.base_id, bases.family, bases.gold_answer, caption_readings.asked_noun,
        caption_readings.answer as caption_answer,
        caption_readings.number_said as caption_number,
        case
            -- a question of a family that no frame opens
            when caption_readings.base_id is null then 'no_asked_noun'
            when caption_readings.question_gap is not null then caption_readings.question_gap
            when bases.family = 'existence' and bases.gold_answer = 'no'
                then
                    case
                        when absent_objects.absence_gap is not null then absent_objects.absence_gap
                        when caption_readings.n_absent_mentions > 0 then 'caption_names_it'
                    end
            when caption_readings.answer_gap is not null then caption_readings.answer_gap
            when caption_readings.answer <> bases.gold_answer then 'caption_says_otherwise'
        end as evidence_gap
    from bases
    left join caption_readings
        on bases.base_id = caption_readings.base_id and caption_readings.is_base_caption
    left join absent_objects on bases.base_id = absent_objects.base_id
)

select
    *,
    evidence_gap is null as evidence_is_strict
from gaps
