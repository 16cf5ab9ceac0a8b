with
sides as (select * from {{ ref('certainly_uncertain__people_sides') }}),

failures as (
    {{ first_failures(
        'certainly_uncertain', 'pairs_from_people', before='certainly_uncertain__people_pairs'
    ) }}
),

open_sides as (
    select
        sides.*,
        row_number() over (
            partition by sides.asked_words
            order by {{ seeded_order('uncertainty_people', 'sides.pair_id') }}, sides.pair_id
        ) as draw
    from sides
    left join failures on sides.pair_id = failures.candidate_id
    where sides.is_doubted and failures.candidate_id is null
),

drawn_sides as (
    select * from open_sides
    where draw <= {{ threshold('certainly_uncertain', 'people_pairs_per_question') }}
),

open_images as (
    select distinct source_image_id from drawn_sides
),

-- pictures that answer a question, those with different answers first, and of one answer those that
-- leave another question open, so that the picture alone tells nothing
answered_sides as (
    select
        sides.*,
        row_number() over (
            partition by sides.asked_words, sides.is_test_half, sides.first_answer
            order by
                case when open_images.source_image_id is not null then 1 else 2 end,
                {{ seeded_order('uncertainty_people', 'sides.pair_id') }}, sides.pair_id
        ) as turn
    from sides
    left join open_images using (source_image_id)
    where
        sides.is_agreed
        and sides.contradiction is null
        and sides.asked_words in (select drawn_sides.asked_words from drawn_sides)
),

placed_open_sides as (
    select *, row_number() over (partition by asked_words, is_test_half order by draw) as place
    from drawn_sides
),

placed_answered_sides as (
    select
        *,
        row_number() over (
            partition by asked_words, is_test_half
            order by turn, {{ seeded_order('uncertainty_people', 'pair_id') }}, pair_id
        ) as place
    from answered_sides
),

-- both pictures of a pair are among those for testing, or neither
near_partners as (
    select placed_open_sides.pair_id, placed_answered_sides.question_key as answered_key
    from placed_open_sides
    inner join placed_answered_sides using (asked_words, is_test_half, place)
    where placed_open_sides.source_image_id <> placed_answered_sides.source_image_id
),

-- an open picture without such a partner takes one of the others, and goes where that one does
placed_lone_sides as (
    select
        placed_open_sides.*,
        row_number() over (
            partition by placed_open_sides.asked_words order by placed_open_sides.draw
        ) as lone_place
    from placed_open_sides
    left join near_partners using (pair_id)
    where near_partners.pair_id is null
),

placed_free_sides as (
    select
        placed_answered_sides.*,
        row_number() over (
            partition by placed_answered_sides.asked_words
            order by
                placed_answered_sides.turn,
                {{ seeded_order('uncertainty_people', 'placed_answered_sides.pair_id') }},
                placed_answered_sides.pair_id
        ) as lone_place
    from placed_answered_sides
    left join near_partners on placed_answered_sides.question_key = near_partners.answered_key
    where near_partners.answered_key is null
),

partners as (
    select * from near_partners
    union all
    select placed_lone_sides.pair_id, placed_free_sides.question_key as answered_key
    from placed_lone_sides
    inner join placed_free_sides using (asked_words, lone_place)
    where placed_lone_sides.source_image_id <> placed_free_sides.source_image_id
),

-- what ten people answered, those first whom most agree with
shown_answers as (
    select
        answers.question_key,
        {{ json_object(
            answer='answers.answer', share='cast(answers.n_people as double) / sides.n_people'
        ) }} as answer_object,
        answers.answer || ' ' || cast(answers.n_people as string) as counted_answer,
        lpad(cast(10000 - answers.n_people as string), 5, '0') || answers.answer as place
    from {{ ref('certainly_uncertain__people_answers') }} as answers
    inner join sides using (question_key)
    where
        sides.is_doubted
        or sides.question_key in (select partners.answered_key from partners)
),

people_answers as (
    select
        question_key,
        {{ json_list(array_agg('answer_object', order_by='place')) }} as answer_shares,
        {{ array_join(array_agg('counted_answer', order_by='place'), "', '") }} as counted_answers
    from shown_answers
    group by question_key
)

select
    sides.pair_id as candidate_id,
    sides.pair_id, sides.category, sides.origin,
    sides.question_key as open_question_key,
    partners.answered_key,
    coalesce(answered_sides.source_image_id, sides.source_image_id) as source_image_id,
    sides.source_image_id as open_image_id,
    answered_sides.image_id, answered_sides.question_id, sides.asked_words, sides.question,
    answered_sides.first_answer as answer,
    open_answers.counted_answers as open_answers,
    given_answers.counted_answers as answers,
    open_answers.answer_shares as open_answer_shares,
    given_answers.answer_shares,
    cast(sides.n_doubts as double) / sides.n_people as open_doubt_share,
    case when partners.pair_id is not null then cast(0 as double) end as doubt_share,
    -- of one question no more open pictures than a question may have are drawn
    case when open_sides.pair_id is not null then drawn_sides.pair_id is not null end
        as passes_draw,
    -- another picture answers the question, and is no other's partner
    case when drawn_sides.pair_id is not null then partners.pair_id is not null end
        as passes_partner
from sides
inner join people_answers as open_answers using (question_key)
left join open_sides using (pair_id)
left join drawn_sides using (pair_id)
left join partners using (pair_id)
left join answered_sides on partners.answered_key = answered_sides.question_key
left join people_answers as given_answers on partners.answered_key = given_answers.question_key
where sides.is_doubted
