with
bases as (select * from {{ ref('conflict_suite__bases') }}),
absent_objects as (select * from {{ ref('conflict_suite__absent_objects') }}),

captions as (select * from {{ ref('images__captions') }}),

asked_nouns as (
    select * from {{ ref('lexicon__asked_nouns') }}
    where question_gap is null
),

-- the caption of each base, and all captions of the picture where it is asked whether a thing is
-- there: none may name what annotations say is absent, and one of many is no proof of what it names
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
    from bases
    inner join captions using (source_image_id)
    inner join asked_nouns using (question)
    left join absent_objects using (base_id)
    where
        bases.family = 'existence'
        and captions.is_no_description is not true
        and (bases.gold_answer = 'yes' or absent_objects.absence_gap is null)
),

readings as (
    {{ text_readings('caption_questions') }}
),

-- what each says of what the question asks for, and how many captions of the picture name it
caption_readings as (
    select
        caption_questions.base_id, caption_questions.is_base_caption, readings.asked_noun,
        readings.question_gap, readings.answer, readings.answer_gap, readings.number_said,
        count(case when not caption_questions.is_base_caption then 1 end)
            over (partition by caption_questions.base_id) as n_captions,
        count(
            case when not caption_questions.is_base_caption and readings.n_mentions > 0 then 1 end
        ) over (partition by caption_questions.base_id) as n_naming_captions
    from readings
    inner join caption_questions using (text_id)
),

-- what is outlined is there, whoever names it
outlined_bases as (
    select distinct bases.base_id
    from bases
    inner join asked_nouns using (question)
    inner join {{ ref('object_words') }} as object_words
        on asked_nouns.asked_noun = object_words.phrase
    inner join {{ ref('images__instances') }} as instances
        on
            bases.source_image_id = instances.source_image_id
            and object_words.category = instances.category
    where object_words.is_certain and {{ list_length('asked_nouns.asked_modifiers') }} = 0
),

bases_without_description as (
    select distinct bases.base_id
    from bases
    inner join captions using (source_image_id, caption)
    where captions.is_no_description
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
            when bases_without_description.base_id is not null then 'no_description'
            when caption_readings.question_gap is not null then caption_readings.question_gap
            when bases.family = 'existence' and bases.gold_answer = 'no'
                then
                    case
                        when absent_objects.absence_gap is not null then absent_objects.absence_gap
                        when caption_readings.n_naming_captions > 0 then 'caption_names_it'
                    end
            when caption_readings.answer_gap is not null then caption_readings.answer_gap
            when caption_readings.answer <> bases.gold_answer then 'caption_says_otherwise'
            when
                bases.family = 'existence'
                and caption_readings.n_captions
                >= {{ threshold('conflict_suite', 'captions_that_outvote') }}
                and caption_readings.n_naming_captions < 2
                and outlined_bases.base_id is null
                then 'named_by_one_caption'
        end as evidence_gap
    from bases
    left join caption_readings
        on bases.base_id = caption_readings.base_id and caption_readings.is_base_caption
    left join absent_objects on bases.base_id = absent_objects.base_id
    left join outlined_bases on bases.base_id = outlined_bases.base_id
    left join bases_without_description
        on bases.base_id = bases_without_description.base_id
)

select
    *,
    evidence_gap is null as evidence_is_strict
from gaps
