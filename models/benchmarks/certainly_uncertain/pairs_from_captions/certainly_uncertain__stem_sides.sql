{%- set split_key -%}
    coalesce('group-' || statements.split_group, ranked_sides.source_image_id)
{%- endset -%}
with
sides as (
    select * from {{ ref('certainly_uncertain__worded_sides') }}
    union all
    select * from {{ ref('certainly_uncertain__people_stem_sides') }}
    union all
    select
        * {{ exclude('slot_side_id') }}
    from {{ ref('certainly_uncertain__slot_sides') }}
),

-- a question has one answer in a picture, or none: sides that nothing else speaks against may yet
-- deny each other
question_sides as (
    select source_image_id, category, question
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
                sides.thing,
                {{ array_join('sides.texts_seen', "' '") }},
                coalesce(sides.contradiction, '')
        ) as preference
    from sides
    left join question_sides using (source_image_id, category, question)
)

select
    'cu-' || ranked_sides.category || '-' || ranked_sides.source_image_id || '-'
    || substr(
        md5(concat_ws(
            '|', ranked_sides.side, ranked_sides.question, coalesce(ranked_sides.answer, '')
        )), 1, 8
    ) as side_id,
    ranked_sides.source_image_id, ranked_sides.stem, ranked_sides.category, ranked_sides.side,
    ranked_sides.question, ranked_sides.answer, ranked_sides.thing, ranked_sides.texts_seen,
    ranked_sides.contradiction, ranked_sides.is_supported,
    ranked_sides.is_supported and ranked_sides.contradiction is null as is_sound,
    -- partners are sought within a half of the pictures, of which one is for testing
    {{ seeded_int('uncertainty_split', split_key, 10000) }}
    < 10000 * {{ decimal_var('certainly_uncertain_two_picture_test_share') }} as is_test_half
from ranked_sides
left join {{ ref('images__own_statements') }} as statements using (source_image_id)
where ranked_sides.preference = 1
