with

pairs as (

    select * from {{ ref('certainly_uncertain__rule_pairs') }}

),

facts as (

    select * from {{ ref('certainly_uncertain__image_facts') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

mentions as (

    select * from {{ ref('certainly_uncertain__mentions') }}

),

text_counts as (

    select
        source_image_id,
        count(*) as n_texts
    from texts
    group by source_image_id

),

-- people are called by many words: any person is that person
mention_counts as (

    select
        source_image_id,
        case when class = 'person' then 'any person' else concept end as thing,
        count(distinct text_id) as n_naming_texts
    from mentions
    where concept is not null
    group by
        source_image_id,
        case when class = 'person' then 'any person' else concept end

),

-- kinds that no text names together may be one thing, seen as two: a goat, or a sheep
kinds_of_texts as (

    select distinct
        source_image_id,
        text_id,
        class,
        concept
    from mentions
    where concept is not null and class <> 'person' and not is_generic and not is_within_longer

),

kind_counts as (

    select
        source_image_id,
        class,
        concept,
        count(*) as n_naming_texts
    from kinds_of_texts
    group by source_image_id, class, concept

),

kinds_together as (

    select distinct
        kinds_of_texts.source_image_id,
        kinds_of_texts.concept,
        others.concept as other_concept
    from kinds_of_texts
    inner join kinds_of_texts as others
        on kinds_of_texts.text_id = others.text_id

),

outvoted_kinds as (

    select distinct
        kind_counts.source_image_id,
        kind_counts.concept
    from kind_counts
    inner join kind_counts as others
        on
            kind_counts.source_image_id = others.source_image_id
            and kind_counts.class = others.class
    left join kinds_together
        on
            kind_counts.source_image_id = kinds_together.source_image_id
            and kind_counts.concept = kinds_together.concept
            and others.concept = kinds_together.other_concept
    where
        kinds_together.source_image_id is null
        and others.n_naming_texts >= kind_counts.n_naming_texts

),

words as (

    select
        source_image_id,
        text_id,
        {{ unnest_list('words') }} as word
    from texts

),

word_counts as (

    select
        source_image_id,
        word,
        count(distinct text_id) as n_texts
    from words
    group by source_image_id, word

),

-- numbers follow from a word of the text, which is "two" where the answer is 4
final as (

    select
        pairs.pair_id as candidate_id,
        (pairs.category = 'ambiguity' and outvoted_kinds.concept is null)
        or text_counts.n_texts < {{ var('certainly_uncertain_support_from_texts') }}
        or (
            pairs.category <> 'ambiguity'
            and mention_counts.n_naming_texts > 1
            and coalesce(word_counts.n_texts, 0) > 1
        ) as is_passed
    from pairs
    inner join facts
        on pairs.fact_id = facts.fact_id
    inner join text_counts
        on facts.source_image_id = text_counts.source_image_id
    inner join mention_counts
        on
            facts.source_image_id = mention_counts.source_image_id
            and mention_counts.thing
            = case when facts.class = 'person' then 'any person' else facts.concept end
    left join outvoted_kinds
        on
            facts.source_image_id = outvoted_kinds.source_image_id
            and facts.concept = outvoted_kinds.concept
    left join word_counts
        on
            facts.source_image_id = word_counts.source_image_id
            and word_counts.word
            = case when facts.form = 'plural' then facts.quantity else facts.last_word end

)

select * from final
