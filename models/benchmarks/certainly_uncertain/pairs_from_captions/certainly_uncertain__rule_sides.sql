with

facts as (

    select * from {{ ref('certainly_uncertain__image_facts') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

rivals as (

    select * from {{ ref('certainly_uncertain__rival_facts') }}

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

image_words as (

    select
        source_image_id,
        {{ list_sort_distinct(array_agg_unordered('word')) }} as words
    from (
        select
            source_image_id,
            {{ unnest_list('words') }} as word
        from texts
    ) as words_of_texts
    group by source_image_id

),

spaced_facts as (

    select
        facts.*,
        ' ' || facts.class || ' ' as spaced_class,
        ' ' || replace(facts.concept, ' ', '-') || ' ' as spaced_concept,
        ' ' || facts.verb || ' ' as spaced_verb,
        rivals.fact_id is not null as has_rival
    from facts
    left join rivals
        on facts.fact_id = rivals.fact_id

),

-- a template asks about a thing of one of its classes or concepts, or about any where it names
-- none; an answerable one goes by the rule that gives its answer
fitting_templates as (

    select
        facts.fact_id,
        templates.category,
        templates.side,
        templates.template,
        templates.topic,
        templates.question,
        row_number() over (
            partition by facts.fact_id, templates.category, templates.side
            order by
                {{ seeded_order('uncertainty_template', "facts.fact_id || templates.template") }},
                templates.template
        ) as draw
    from spaced_facts as facts
    inner join templates
        on
            facts.form = templates.form
            and (templates.rule is null or facts.rule = templates.rule)
            and (templates.category <> 'ambiguity' or facts.has_rival)
    left join image_words
        on
            facts.source_image_id = image_words.source_image_id
            and templates.needs is not null
    where
        (
            (templates.classes is null and templates.concepts is null)
            or contains(templates.spaced_classes, facts.spaced_class)
            or contains(templates.spaced_concepts, facts.spaced_concept)
        )
        and (
            templates.verbs is null
            or (templates.verbs = '*' and facts.verb is not null)
            or coalesce(contains(templates.spaced_verbs, facts.spaced_verb), false)
        )
        and not coalesce(contains(templates.spaced_other_verbs, facts.spaced_verb), false)
        and (
            templates.needs is null
            or {{ list_intersect_size(
                'image_words.words', regexp_extract_all('templates.needs', '[a-z]+')
            ) }} > 0
        )

),

-- slots are filled with words of the captions, and with nothing else
final as (

    select
        facts.fact_id,
        fitting_templates.category,
        fitting_templates.side,
        fitting_templates.template,
        fitting_templates.topic,
        replace(
            replace(
                replace(
                    replace(
                        replace(
                            replace(
                                replace(
                                    fitting_templates.question,
                                    '{noun}',
                                    facts.noun
                                ),
                                '{nouns}',
                                coalesce(facts.plural_term, '')
                            ),
                            '{garment}',
                            coalesce(facts.garment, '')
                        ),
                        '{number}',
                        coalesce(facts.quantity, '')
                    ),
                    '{verb}',
                    coalesce(facts.verb, '')
                ),
                '{predicate}',
                coalesce(facts.predicate, '')
            ),
            '{place}',
            coalesce(replace(facts.source_answer, ' a ', ' the '), '')
        ) as question
    from fitting_templates
    inner join facts
        on fitting_templates.fact_id = facts.fact_id
    where fitting_templates.draw = 1

)

select * from final
