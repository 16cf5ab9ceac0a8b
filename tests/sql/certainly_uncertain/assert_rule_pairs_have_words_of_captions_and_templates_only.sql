-- Every word of a pair by rule stands in the picture's captions, or is the template's own; but for
-- numbers that are counted, and the plural and the joining "and" where there are two of a noun.
-- Dropped pairs are read, too.
with
words_of_texts as (
    select distinct
        source_image_id,
        {{ unnest_list(tokens('text')) }} as word
    from {{ ref('certainly_uncertain__texts') }}
),

pair_texts as (
    select
        *,
        answerable_question || ' ' || answerable_answer || ' ' || unanswerable_question as all_text
    from {{ ref('certainly_uncertain__rule_pairs') }}
),

words_of_pairs as (
    select
        pair_id,
        fact_id,
        source_image_id,
        answerable_rule,
        unanswerable_rule,
        {{ unnest_list(tokens('all_text')) }} as word
    from pair_texts
),

own_words as (
    select distinct
        template,
        {{ unnest_list(tokens(regexp_replace('question', '[{][a-z]+[}]', ' '))) }} as word
    from {{ ref('uncertainty_templates') }}
),

plural_words as (
    select distinct
        concept,
        {{ unnest_list('words') }} as word
    from {{ ref('certainly_uncertain__nouns') }}
    where form = 'plural'
)

select distinct
    words_of_pairs.pair_id,
    words_of_pairs.word
from words_of_pairs
inner join {{ ref('certainly_uncertain__image_facts') }} as facts
    on words_of_pairs.fact_id = facts.fact_id
left join words_of_texts
    on
        words_of_pairs.source_image_id = words_of_texts.source_image_id
        and words_of_pairs.word = words_of_texts.word
left join own_words
    on
        words_of_pairs.word = own_words.word
        and own_words.template
        in (words_of_pairs.answerable_rule, words_of_pairs.unanswerable_rule)
left join plural_words
    on
        facts.rule = 'two_colors'
        and facts.concept = plural_words.concept
        and words_of_pairs.word = plural_words.word
where
    words_of_texts.word is null
    and own_words.word is null
    and plural_words.word is null
    and not (
        facts.source_rule = 'count'
        and {{ regexp_matches('words_of_pairs.word', '^[0-9]+$') }}
    )
    and not (facts.rule = 'two_colors' and words_of_pairs.word = 'and')
