with
sides as (select * from {{ ref('certainly_uncertain__rule_sides') }}),

pairs as (
    select
        answerable_sides.fact_id, answerable_sides.category, facts.source_image_id,
        answerable_sides.template as answerable_rule,
        unanswerable_sides.template as unanswerable_rule,
        unanswerable_sides.topic,
        facts.noun as object_words,
        answerable_sides.question as answerable_question,
        facts.answer as answerable_answer,
        unanswerable_sides.question as unanswerable_question
    from sides as answerable_sides
    inner join sides as unanswerable_sides
        on
            answerable_sides.fact_id = unanswerable_sides.fact_id
            and answerable_sides.category = unanswerable_sides.category
            and unanswerable_sides.side = 'unanswerable'
    inner join {{ ref('certainly_uncertain__image_facts') }} as facts
        on answerable_sides.fact_id = facts.fact_id
    where answerable_sides.side = 'answerable'
),

-- two facts may give the same questions and answer: one of them is the pair
first_facts as (
    select category, min(fact_id) as fact_id
    from pairs
    group by
        source_image_id, category, answerable_question, answerable_answer, unanswerable_question
)

select
    'cu-' || pairs.category || '-' || pairs.source_image_id || '-'
    || substr(md5(concat_ws(
        '|', pairs.answerable_question, pairs.answerable_answer, pairs.unanswerable_question
    )), 1, 8) as pair_id,
    pairs.fact_id,
    case when pairs.category = 'ambiguity' then rivals.rival_fact_id end as rival_fact_id,
    pairs.* {{ exclude('fact_id') }}
from pairs
inner join first_facts using (fact_id, category)
left join {{ ref('certainly_uncertain__rival_facts') }} as rivals using (fact_id)
