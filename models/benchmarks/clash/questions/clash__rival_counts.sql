with
phrase_nouns as (select * from {{ ref('clash__phrase_nouns') }}),
kinds as (select * from {{ ref('clash_kinds') }}),

kind_words as (
    select distinct kinds.kind, terms.term as word
    from {{ ref('lexicon__terms') }} as terms
    inner join kinds
        on
            terms.category = kinds.category
            and kinds.subcategory in ('any', terms.subcategory)
            and kinds.concept in ('any', terms.concept)
    where terms.n_words = 1
    union
    select distinct kind, {{ regexp_extract('lower(singular_asked)', '[a-z]+$') }} as word
    from kinds
    where singular_asked like 'Which %'
    union
    select distinct kind, {{ regexp_extract('lower(plural_asked)', '[a-z]+$') }} as word
    from kinds
    where plural_asked like 'Which %'
),

caption_positions as (
    select caption_id, {{ unnest_list_with_position('words', 'word', 'position') }}
    from {{ ref('contradictions__caption_words') }}
),

-- other words of the kind that the caption has: "Which animal" asks for the only one
kind_counts as (
    select phrase_nouns.proposal_id, count(*) as n_others
    from phrase_nouns
    inner join caption_positions
        on
            phrase_nouns.caption_id = caption_positions.caption_id
            and (
                phrase_nouns.word_position > caption_positions.position
                or phrase_nouns.term_end <= caption_positions.position
            )
    inner join kind_words
        on
            phrase_nouns.kind = kind_words.kind
            and caption_positions.word = kind_words.word
    group by phrase_nouns.proposal_id
),

-- words of the kind that other captions of the picture have, such as look alike apart
lookalikes as (
    select concept, lookalike
    from
        {{ mutual_vocabulary('lexicon', 'lookalikes', 'concept', 'lookalike') }} as listed_pairs
),

elsewhere_counts as (
    select phrase_nouns.proposal_id, count(distinct readings.concept) as n_others
    from phrase_nouns
    inner join {{ ref('contradictions__caption_words') }} as caption_words
        on
            phrase_nouns.source_image_id = caption_words.source_image_id
            and phrase_nouns.caption_id <> caption_words.caption_id
    inner join {{ ref('contradictions__readings') }} as readings
        on
            caption_words.caption_id = readings.caption_id
            and phrase_nouns.category = readings.category
            and phrase_nouns.concept <> readings.concept
            and (
                phrase_nouns.category in ('animals', 'transportation', 'food')
                or phrase_nouns.subcategory = readings.subcategory
            )
    left join lookalikes
        on
            phrase_nouns.concept = lookalikes.concept
            and readings.concept = lookalikes.lookalike
    where phrase_nouns.is_object and lookalikes.concept is null
    group by phrase_nouns.proposal_id
),

instance_counts as (
    select source_image_id, category, supercategory, count(*) as n_instances
    from {{ ref('images__instances') }}
    group by source_image_id, category, supercategory
),

-- a word may name several categories
word_counts as (
    select
        instance_counts.source_image_id,
        object_words.phrase as word,
        max(instance_counts.n_instances) as n_instances
    from instance_counts
    inner join {{ ref('object_words') }} as object_words using (category)
    group by instance_counts.source_image_id, object_words.phrase
),

-- COCO's super-categories are called as the kinds are: animal, vehicle, food
shown_kinds as (
    select source_image_id, supercategory, count(*) as n_categories
    from instance_counts
    group by source_image_id, supercategory
)

select
    phrase_nouns.proposal_id,
    cast(coalesce(kind_counts.n_others, 0) as bigint) as n_others_said,
    cast(coalesce(elsewhere_counts.n_others, 0) as bigint) as n_others_elsewhere,
    cast(coalesce(shown_kinds.n_categories, 0) as bigint) as n_categories_shown,
    cast(coalesce(subject_counts.n_instances, 0) as bigint) as n_subjects_shown,
    cast(coalesce(noun_counts.n_instances, 0) as bigint) as n_nouns_shown
from phrase_nouns
left join kind_counts using (proposal_id)
left join elsewhere_counts using (proposal_id)
left join shown_kinds
    on
        phrase_nouns.source_image_id = shown_kinds.source_image_id
        and phrase_nouns.kind = shown_kinds.supercategory
left join word_counts as subject_counts
    on
        phrase_nouns.source_image_id = subject_counts.source_image_id
        and phrase_nouns.subject_noun = subject_counts.word
left join word_counts as noun_counts
    on
        phrase_nouns.source_image_id = noun_counts.source_image_id
        and phrase_nouns.noun = noun_counts.word
