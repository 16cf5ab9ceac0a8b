with
sides as (
    select *
    from {{ ref('certainly_uncertain__worded_sides') }}
    union all
    select *
    from {{ ref('certainly_uncertain__people_stem_sides') }}
    union all
    select
        * {{ exclude('slot_side_id') }}
    from {{ ref('certainly_uncertain__slot_sides') }}
),

-- a question has one answer in a picture, or none: sides that nothing else speaks against may yet
-- deny each other
question_sides as (
    select
        source_image_id,
        category,
        question
    from sides
    where contradiction is null
    group by source_image_id, category, question
    having min(side) <> max(side) or min(answer) <> max(answer)
),

ranked_sides as (
    select
        sides.* {{ exclude('contradiction') }},
        case
            when sides.contradiction is null and question_sides.question is not null
                then 'another side of the question'
            else sides.contradiction
        end as contradiction,
        row_number() over (
            partition by
                sides.source_image_id, sides.category, sides.question, sides.side, sides.answer
            order by
                case when sides.is_supported and sides.contradiction is null then 1 else 2 end,
                sides.stem,
                sides.thing
        ) as preference
    from sides
    left join question_sides using (source_image_id, category, question)
)

select
    'cu-' || category || '-' || source_image_id || '-'
    || substr(md5(concat_ws('|', side, question, coalesce(answer, ''))), 1, 8) as side_id,
    source_image_id,
    stem,
    category,
    side,
    question,
    answer,
    thing,
    texts_seen,
    contradiction,
    is_supported,
    is_supported and contradiction is null as is_sound,
    -- partners are sought within a half of the pictures, of which one is for testing
    {{ seeded_int('uncertainty_split', 'source_image_id', 10000) }}
    < 10000 * {{ decimal_var('certainly_uncertain_two_picture_test_share') }} as is_test_half
from ranked_sides
where preference = 1
