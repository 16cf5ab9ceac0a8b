with
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),

asked_questions as (
    select distinct question, asked_words from bases
),

-- pictures of which people say that the thing is not there, no caption names it, and the scene has
-- a place for it: neither annotation nor caption is strict evidence of that, people are
denied_bases as (
    select
        suite_bases.base_id, suite_bases.base_split, suite_bases.family, suite_bases.gold_answer,
        suite_bases.source_image_id, asked_questions.asked_words
    from {{ ref('conflict_suite__bases') }} as suite_bases
    inner join asked_questions using (question)
    inner join {{ ref('lexicon__question_objects') }} as question_objects using (question)
    inner join {{ ref('conflict_suite_refined__scenes') }} as scenes
        on
            suite_bases.source_image_id = scenes.source_image_id
            and question_objects.category = scenes.category
    where suite_bases.family = 'existence' and suite_bases.gold_answer = 'no'
    group by
        suite_bases.base_id, suite_bases.base_split, suite_bases.family, suite_bases.gold_answer,
        suite_bases.source_image_id, asked_questions.asked_words
    having
        max(scenes.n_naming_captions) = 0
        and max(scenes.n_captions) >= {{ threshold('conflict_suite', 'captions_of_absence') }}
        and bool_or(scenes.has_place)
),

answering_bases as (
    select base_id, base_split, family, gold_answer, source_image_id, asked_words
    from bases
    where is_plain and is_askable
    union
    select base_id, base_split, family, gold_answer, source_image_id, asked_words
    from denied_bases
),

-- a picture that answers a question in two ways answers it in none
pictures as (
    select
        base_split, family, asked_words, source_image_id,
        min(gold_answer) as answer,
        min(base_id) as partner_id
    from answering_bases
    group by base_split, family, asked_words, source_image_id
    having min(gold_answer) = max(gold_answer)
),

answers as (
    select distinct base_split, family, asked_words, answer from pictures
),

-- a ring for each answer that pictures of a split give to a question: those pictures, and between
-- them the bases of other answers, which only seek
ring_members as (
    select
        base_split, family, asked_words, answer,
        partner_id as base_id,
        source_image_id, true as is_partner
    from pictures
    union all
    select
        bases.base_split, bases.family, bases.asked_words, answers.answer, bases.base_id,
        bases.source_image_id, false as is_partner
    from bases
    inner join answers
        on
            bases.base_split = answers.base_split
            and bases.family = answers.family
            and bases.asked_words = answers.asked_words
            and bases.gold_answer <> answers.answer
),

ring_places as (
    {{ seeded_places(
        'ring_members', 'crossed_partner', 'base_id',
        partition_by=['base_split', 'family', 'asked_words', 'answer'], counted='is_partner'
    ) }}
)

-- the first one behind the base, round the ring
select
    seekers.base_id, seekers.answer,
    partners.base_id as partner_id,
    partners.source_image_id as partner_image_id
from ring_places as seekers
inner join ring_places as partners
    on
        seekers.base_split = partners.base_split
        and seekers.family = partners.family
        and seekers.asked_words = partners.asked_words
        and seekers.answer = partners.answer
        and (seekers.seeded_place + 1) % seekers.n_places = partners.seeded_place
where not seekers.is_partner and partners.is_partner
