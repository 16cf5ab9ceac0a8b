with
readings as (select * from {{ ref('conflict_suite__caption_readings') }}),

caption_readings as (
    select * from readings
    where is_base_caption
),

-- how often all captions of a picture name what its annotations say is absent
absence_readings as (
    select base_id, sum(n_mentions) as n_mentions
    from readings
    where not is_base_caption
    group by base_id
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
                        when absence_readings.n_mentions > 0 then 'caption_names_it'
                    end
            when caption_readings.answer_gap is not null then caption_readings.answer_gap
            when caption_readings.answer <> bases.gold_answer then 'caption_says_otherwise'
        end as evidence_gap
    from {{ ref('conflict_suite__bases') }} as bases
    left join caption_readings using (base_id)
    left join {{ ref('conflict_suite__absent_objects') }} as absent_objects using (base_id)
    left join absence_readings using (base_id)
)

select
    *,
    evidence_gap is null as evidence_is_strict
from gaps
