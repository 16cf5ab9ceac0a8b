with
sides as (select * from {{ ref('certainly_uncertain__stem_sides') }}),

categories as (
    select * from {{ ref('uncertainty_categories') }}
    where source = 'caption'
),

-- a question is asked where one picture answers it and another leaves it open
two_sided_questions as (
    select category, question, is_test_half
    from sides
    where is_sound
    group by category, question, is_test_half
    having min(side) <> max(side)
),

askable_sides as (
    select
        sides.*,
        row_number() over (
            partition by sides.source_image_id, sides.category, sides.side
            order by {{ seeded_order('uncertainty_stem', 'sides.side_id') }}, sides.side_id
        ) as draw,
        min(sides.side) over pictures <> max(sides.side) over pictures as is_on_both_sides
    from sides
    inner join two_sided_questions using (category, question, is_test_half)
    where sides.is_sound
    window pictures as (partition by sides.source_image_id)
),

-- each side's place among those of its question: first come pictures that answer one question and
-- leave another open, so that the picture alone tells nothing
placed_sides as (
    select
        askable_sides.*,
        row_number() over (
            partition by
                askable_sides.category, askable_sides.question, askable_sides.is_test_half,
                askable_sides.side
            order by
                case when askable_sides.is_on_both_sides then 1 else 2 end,
                {{ seeded_order('uncertainty_partner', 'askable_sides.side_id') }},
                askable_sides.side_id
        ) as place
    from askable_sides
    inner join categories using (category)
    where
        categories.questions_per_image is null
        or askable_sides.draw <= categories.questions_per_image
),

-- the first picture that answers a question and the first that leaves it open, the second and the
-- second: as many of one as of the other
partners as (
    select answerable_sides.side_id, open_sides.side_id as open_side_id
    from placed_sides as answerable_sides
    inner join placed_sides as open_sides using (category, question, is_test_half, place)
    where answerable_sides.side = 'answerable' and open_sides.side = 'unanswerable'
)

-- a side without a partner is a candidate that drops
select
    case
        when partners.side_id is null then sides.side_id
        else
            'cu-' || sides.category || '-' || sides.source_image_id || '-'
            || substr(md5(concat_ws(
                '|', sides.question, sides.answer, open_sides.source_image_id
            )), 1, 8)
    end as pair_id,
    pair_id as candidate_id,
    sides.stem, sides.category, sides.source_image_id,
    coalesce(open_sides.source_image_id, sides.source_image_id) as open_image_id,
    sides.thing as object_words,
    case when sides.side = 'answerable' then sides.question end as answerable_question,
    sides.answer as answerable_answer,
    coalesce(
        open_sides.question, case when sides.side = 'unanswerable' then sides.question end
    ) as unanswerable_question,
    sides.texts_seen,
    open_sides.texts_seen as open_texts_seen,
    -- more than one text says the answer, where there are enough texts to expect it
    sides.is_supported as passes_support,
    -- no text of a picture contradicts its side
    sides.contradiction is null as passes_contradiction,
    sides.contradiction as contradiction_detail,
    -- a picture answers the question and another leaves it open, and they are as many: pictures
    -- beyond that have no partner
    case
        when placed_sides.side_id is not null then partners.side_id is not null
        when sides.is_sound then askable_sides.side_id is not null
    end as passes_partner,
    -- of several questions that a picture could be asked so many are drawn as a category asks
    case when askable_sides.side_id is not null then placed_sides.side_id is not null end
        as passes_draw
from sides
left join askable_sides using (side_id)
left join placed_sides using (side_id)
left join partners using (side_id)
left join sides as open_sides on partners.open_side_id = open_sides.side_id
left join partners as partners_of_open on sides.side_id = partners_of_open.open_side_id
where partners_of_open.open_side_id is null
