with
texts as (select * from {{ ref('certainly_uncertain__texts') }}),
mentions as (select * from {{ ref('certainly_uncertain__mentions') }}),

text_counts as (
    select source_image_id, count(*) as n_texts
    from texts
    group by source_image_id
),

-- people are called by many words, so any person counts as the person of the pair
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
    select distinct source_image_id, text_id, class, concept
    from mentions
    where concept is not null and class <> 'person' and not is_generic and not is_within_longer
),

kind_counts as (
    select source_image_id, class, concept, count(*) as n_naming_texts
    from kinds_of_texts
    group by source_image_id, class, concept
),

kinds_together as (
    select distinct
        kinds_of_texts.source_image_id, kinds_of_texts.concept,
        others.concept as other_concept
    from kinds_of_texts
    inner join kinds_of_texts as others using (text_id)
),

outvoted_kinds as (
    select distinct kind_counts.source_image_id, kind_counts.concept
    from kind_counts
    inner join kind_counts as others using (source_image_id, class)
    left join kinds_together
        on
            kind_counts.source_image_id = kinds_together.source_image_id
            and kind_counts.concept = kinds_together.concept
            and others.concept = kinds_together.other_concept
    where
        kinds_together.source_image_id is null
        and others.n_naming_texts >= kind_counts.n_naming_texts
),

-- numbers follow from a word of the text, which is "two" where the answer is 4
answered_pairs as (
    select
        pairs.pair_id, pairs.category, facts.source_image_id, facts.concept,
        case when facts.class = 'person' then 'any person' else facts.concept end as thing,
        case when facts.form = 'plural' then facts.quantity else facts.last_word end as answer_word
    from {{ ref('certainly_uncertain__rule_pairs') }} as pairs
    inner join {{ ref('certainly_uncertain__image_facts') }} as facts using (fact_id)
),

answer_words as (
    select distinct source_image_id, answer_word from answered_pairs
),

words as (
    select source_image_id, text_id, {{ unnest_list('words') }} as word from texts
),

word_counts as (
    select words.source_image_id, words.word, count(distinct words.text_id) as n_texts
    from words
    inner join answer_words
        on
            words.source_image_id = answer_words.source_image_id
            and words.word = answer_words.answer_word
    group by words.source_image_id, words.word
)

select
    answered_pairs.pair_id,
    (answered_pairs.category = 'ambiguity' and outvoted_kinds.concept is null)
    or text_counts.n_texts < {{ threshold('certainly_uncertain', 'support_from_texts') }}
    or (
        answered_pairs.category <> 'ambiguity'
        and mention_counts.n_naming_texts > 1
        and coalesce(word_counts.n_texts, 0) > 1
    ) as is_supported
from answered_pairs
inner join text_counts using (source_image_id)
inner join mention_counts using (source_image_id, thing)
left join outvoted_kinds using (source_image_id, concept)
left join word_counts
    on
        answered_pairs.source_image_id = word_counts.source_image_id
        and answered_pairs.answer_word = word_counts.word
