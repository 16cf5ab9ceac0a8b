-- Looks in the captions' plain words for the two things that a retained reference by rule fits: one
-- text names both, by any word for them, each stands in a text with its value, and the values
-- differ. Two of one kind are two colors beside it in one text.
with
pairs as (
    select * from {{ ref('certainly_uncertain__screened') }}
    where is_retained and generator = 'rules' and category = 'ambiguity'
),

nouns as (select * from {{ ref('certainly_uncertain__nouns') }}),

plain_texts as (
    select
        text_id,
        source_image_id,
        ' ' || {{ array_join(tokens('text'), "' '") }} || ' ' as spaced_text
    from {{ ref('certainly_uncertain__texts') }}
),

plain_pairs as (
    select
        pairs.pair_id,
        pairs.source_image_id,
        templates.rule,
        templates.classes,
        pairs.object_words as thing,
        rivals.noun as other_thing,
        ' ' || {{ array_join(tokens('pairs.object_words'), "' '") }} || ' ' as spaced_thing,
        ' ' || {{ array_join(tokens('rivals.noun'), "' '") }} || ' ' as spaced_other_thing,
        ' ' || coalesce(rivals.garment || ' ', '') as spaced_garment,
        case
            when templates.rule = 'two_colors'
                then ' ' || {{ regexp_extract('pairs.answerable_answer', '^[a-z]+') }} || ' '
            else ' ' || {{ array_join(tokens('pairs.answerable_answer'), "' '") }} || ' '
        end as spaced_value,
        case
            when templates.rule = 'two_colors'
                then ' ' || {{ regexp_extract('pairs.answerable_answer', '[a-z]+$') }} || ' '
            else ' ' || {{ array_join(tokens('rivals.answer'), "' '") }} || ' '
        end as spaced_other_value
    from pairs
    inner join {{ ref('certainly_uncertain__rule_pairs') }} as rule_pairs
        on pairs.pair_id = rule_pairs.pair_id
    inner join {{ ref('uncertainty_templates') }} as templates
        on pairs.unanswerable_rule = templates.template
    left join {{ ref('certainly_uncertain__image_facts') }} as rivals
        on rule_pairs.rival_fact_id = rivals.fact_id
),

-- all words for the things of a pair: a text calls the man a guy
words_for_things as (
    select distinct
        plain_pairs.pair_id,
        plain_pairs.thing = named.term as is_thing,
        ' ' || {{ array_join('synonyms.words', "' '") }} || ' ' as spaced_word
    from plain_pairs
    inner join nouns as named
        on named.term in (plain_pairs.thing, plain_pairs.other_thing)
    inner join nouns as synonyms
        on named.concept = synonyms.concept
),

named_things as (
    select
        plain_pairs.pair_id,
        plain_texts.text_id,
        count(distinct words_for_things.is_thing) as n_things
    from plain_pairs
    inner join plain_texts
        on plain_pairs.source_image_id = plain_texts.source_image_id
    inner join words_for_things
        on
            plain_pairs.pair_id = words_for_things.pair_id
            and contains(plain_texts.spaced_text, words_for_things.spaced_word)
    group by plain_pairs.pair_id, plain_texts.text_id
),

things_named_together as (
    select distinct pair_id
    from named_things
    where n_things = 2
),

-- what the texts of a picture say of both things
findings as (
    select
        plain_pairs.pair_id,
        max(case
            when
                contains(plain_texts.spaced_text, plain_pairs.spaced_thing)
                and contains(plain_texts.spaced_text, plain_pairs.spaced_value)
                and contains(plain_texts.spaced_text, plain_pairs.spaced_garment)
                then 1
            else 0
        end) = 1 as is_value_named,
        max(case
            when
                contains(plain_texts.spaced_text, plain_pairs.spaced_other_thing)
                and contains(plain_texts.spaced_text, plain_pairs.spaced_other_value)
                and contains(plain_texts.spaced_text, plain_pairs.spaced_garment)
                then 1
            else 0
        end) = 1 as is_other_value_named
    from plain_pairs
    inner join plain_texts
        on plain_pairs.source_image_id = plain_texts.source_image_id
    group by plain_pairs.pair_id
),

-- things that the reference does not fit, because they are of no class that it names
misfits as (
    select plain_pairs.pair_id
    from plain_pairs
    left join nouns as thing_nouns
        on plain_pairs.thing = thing_nouns.term
    left join nouns as other_nouns
        on plain_pairs.other_thing = other_nouns.term
    where
        plain_pairs.classes is not null
        and (
            not coalesce(
                contains(' ' || plain_pairs.classes || ' ', ' ' || thing_nouns.class || ' '), false
            )
            or not coalesce(
                contains(' ' || plain_pairs.classes || ' ', ' ' || other_nouns.class || ' '), false
            )
        )
)

select
    plain_pairs.*,
    things_named_together.pair_id is not null as are_named_together,
    findings.is_value_named,
    findings.is_other_value_named,
    misfits.pair_id is not null as is_misfit
from plain_pairs
left join findings
    on plain_pairs.pair_id = findings.pair_id
left join things_named_together
    on plain_pairs.pair_id = things_named_together.pair_id
left join misfits
    on plain_pairs.pair_id = misfits.pair_id
where
    not coalesce(findings.is_value_named, false)
    or not coalesce(findings.is_other_value_named, false)
    or (plain_pairs.rule <> 'two_colors' and things_named_together.pair_id is null)
    or plain_pairs.spaced_value = plain_pairs.spaced_other_value
    or (plain_pairs.rule <> 'two_colors' and plain_pairs.thing = plain_pairs.other_thing)
    or misfits.pair_id is not null
