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
        answerable_sides.template as answerable_rule,
        answerable_sides.question as answerable_question,
        unanswerable_sides.template as unanswerable_rule,
        unanswerable_sides.question as unanswerable_question,
        unanswerable_sides.topic
    from sides as answerable_sides
    inner join sides as unanswerable_sides
        on
            answerable_sides.fact_id = unanswerable_sides.fact_id
            and answerable_sides.category = unanswerable_sides.category
            and unanswerable_sides.side = 'unanswerable'
    where answerable_sides.side = 'answerable'

),

-- two facts may give the same questions and answer: one of them is the pair
ranked_pairs as (

    select
        'cu-' || pairs.category || '-' || facts.source_image_id || '-'
        || substr(md5(concat_ws(
            '|', pairs.answerable_question, facts.answer, pairs.unanswerable_question
        )), 1, 8) as pair_id,
        pairs.fact_id,
        case when pairs.category = 'ambiguity' then rivals.rival_fact_id end as rival_fact_id,
        pairs.category,
        facts.source_image_id,
        pairs.answerable_rule,
        pairs.unanswerable_rule,
        pairs.topic,
        facts.noun as object_words,
        pairs.answerable_question,
        facts.answer as answerable_answer,
        pairs.unanswerable_question,
        facts.texts_seen,
        row_number() over (
            partition by
                facts.source_image_id,
                pairs.category,
                pairs.answerable_question,
                facts.answer,
                pairs.unanswerable_question
            order by pairs.fact_id
        ) as occurrence
    from pairs
    inner join facts
        on pairs.fact_id = facts.fact_id
    left join rivals
        on pairs.fact_id = rivals.fact_id

),

final as (

    select
        pair_id,
        fact_id,
        rival_fact_id,
        category,
        source_image_id,
        answerable_rule,
        unanswerable_rule,
        topic,
        object_words,
        answerable_question,
        answerable_answer,
        unanswerable_question,
        texts_seen
    from ranked_pairs
    where occurrence = 1

)

select * from final
