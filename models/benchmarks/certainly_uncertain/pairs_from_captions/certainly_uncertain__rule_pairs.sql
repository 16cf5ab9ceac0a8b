with

sides as (

    select * from {{ ref('certainly_uncertain__rule_sides') }}

),

facts as (

    select * from {{ ref('certainly_uncertain__image_facts') }}

),

rivals as (

    select * from {{ ref('certainly_uncertain__rival_facts') }}

),

pairs as (

    select
        answerable_sides.fact_id,
        answerable_sides.category,
        facts.source_image_id,
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
    inner join facts
        on answerable_sides.fact_id = facts.fact_id
    where answerable_sides.side = 'answerable'

),

-- two facts may give the same questions and answer: one of them is the pair
first_facts as (

    select
        category,
        min(fact_id) as fact_id
    from pairs
    group by
        source_image_id, category, answerable_question, answerable_answer, unanswerable_question

),

final as (

    select
        'cu-' || pairs.category || '-' || pairs.source_image_id || '-'
        || substr(md5(concat_ws(
            '|', pairs.answerable_question, pairs.answerable_answer, pairs.unanswerable_question
        )), 1, 8) as pair_id,
        pairs.fact_id,
        case when pairs.category = 'ambiguity' then rivals.rival_fact_id end as rival_fact_id,
        pairs.category,
        pairs.source_image_id,
        pairs.answerable_rule,
        pairs.unanswerable_rule,
        pairs.topic,
        pairs.object_words,
        pairs.answerable_question,
        pairs.answerable_answer,
        pairs.unanswerable_question
    from pairs
    inner join first_facts
        on
            pairs.fact_id = first_facts.fact_id
            and pairs.category = first_facts.category
    left join rivals
        on pairs.fact_id = rivals.fact_id

)

select * from final
