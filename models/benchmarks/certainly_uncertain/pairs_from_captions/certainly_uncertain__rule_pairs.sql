with
facts as (
    select
        fact_id, source_image_id, concept, class, noun, form, rule, verb,
        coalesce(verb, '') as any_verb,
        predicate, plural_term, garment, quantity, answer,
        replace(source_answer, ' a ', ' the ') as place
    from {{ ref('certainly_uncertain__image_facts') }}
),

templates as (
    select
        *,
        ' ' || coalesce(classes, '') || ' ' as spaced_classes,
        ' ' || coalesce(concepts, '') || ' ' as spaced_concepts,
        ' ' || coalesce(verbs, '') || ' ' as spaced_verbs,
        ' ' || coalesce(other_verbs, '') || ' ' as spaced_other_verbs
    from {{ ref('uncertainty_templates') }}
),

-- many pictures have facts of one kind, and what fits one of them fits all
fact_kinds as (
    select distinct
        form, rule, class, concept, any_verb,
        ' ' || class || ' ' as spaced_class,
        ' ' || replace(concept, ' ', '-') || ' ' as spaced_concept,
        ' ' || verb || ' ' as spaced_verb
    from facts
),

-- a template asks about a thing of one of its classes or concepts, or about any where it names
-- none; an answerable one goes by the rule that gives its answer
fitting_templates as (
    select fact_kinds.*, templates.template, templates.category, templates.side, templates.needs
    from fact_kinds
    inner join templates
        on
            fact_kinds.form = templates.form
            and (templates.rule is null or fact_kinds.rule = templates.rule)
    where
        (
            (templates.classes is null and templates.concepts is null)
            or contains(templates.spaced_classes, fact_kinds.spaced_class)
            or contains(templates.spaced_concepts, fact_kinds.spaced_concept)
        )
        and (
            templates.verbs is null
            or (templates.verbs = '*' and fact_kinds.spaced_verb is not null)
            or coalesce(contains(templates.spaced_verbs, fact_kinds.spaced_verb), false)
        )
        and not coalesce(contains(templates.spaced_other_verbs, fact_kinds.spaced_verb), false)
),

needed_words as (
    select template, {{ unnest_list(regexp_extract_all('needs', '[a-z]+')) }} as word
    from templates
    where needs is not null
),

text_words as (
    select source_image_id, {{ unnest_list('words') }} as word
    from {{ ref('certainly_uncertain__texts') }}
),

templates_with_needed_words as (
    select distinct text_words.source_image_id, needed_words.template
    from text_words
    inner join needed_words using (word)
),

drawn_templates as (
    select
        facts.fact_id, fitting_templates.category, fitting_templates.side,
        {{ min_by(
            'fitting_templates.template',
            seeded_order('uncertainty_template', 'facts.fact_id || fitting_templates.template')
        ) }} as template
    from facts
    inner join fitting_templates using (form, rule, class, concept, any_verb)
    left join {{ ref('certainly_uncertain__rival_facts') }} as rivals using (fact_id)
    left join templates_with_needed_words
        on
            facts.source_image_id = templates_with_needed_words.source_image_id
            and fitting_templates.template = templates_with_needed_words.template
    where
        (fitting_templates.category <> 'ambiguity' or rivals.fact_id is not null)
        and (
            fitting_templates.needs is null
            or templates_with_needed_words.template is not null
        )
    group by facts.fact_id, fitting_templates.category, fitting_templates.side
),

-- slots are filled with words of the captions, and with nothing else
sides as {{ computed_once() }} (
    select
        facts.fact_id, drawn_templates.category, drawn_templates.side, drawn_templates.template,
        templates.topic,
        {{ filled_slots('templates.question', {
            'noun': 'facts.noun',
            'nouns': 'facts.plural_term',
            'garment': 'facts.garment',
            'number': 'facts.quantity',
            'verb': 'facts.verb',
            'predicate': 'facts.predicate',
            'place': 'facts.place',
        }) }} as question
    from drawn_templates
    inner join templates using (template)
    inner join facts using (fact_id)
),

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
    inner join facts on answerable_sides.fact_id = facts.fact_id
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
