with
pairs as (select * from {{ ref('certainly_uncertain__rule_pairs') }}),
facts as (select * from {{ ref('certainly_uncertain__image_facts') }}),
mentions as (select * from {{ ref('certainly_uncertain__mentions') }}),
texts as (select * from {{ ref('certainly_uncertain__texts') }}),
contradicted_facts as (select * from {{ ref('certainly_uncertain__contradicted_facts') }}),

text_counts as (
    select source_image_id, text_id, concept, count(*) as n_mentions
    from mentions
    where form = 'singular' and not is_within_longer
    group by source_image_id, text_id, concept
),

repeated_concepts as (
    select distinct source_image_id, concept
    from text_counts
    where n_mentions > 1
),

-- "a burger with another next to it"
texts_with_another as (
    select text_id
    from texts
    where array_contains(words, 'another')
),

accompanied_classes as (
    select distinct mentions.source_image_id, mentions.class
    from mentions
    inner join texts_with_another using (text_id)
),

-- "bears" may be the black bear and others
plural_heads as (
    select distinct source_image_id, {{ regexp_extract('concept', '[a-z]+$') }} as head_word
    from mentions
    where form = 'plural'
),

-- "people" may be the man's company, and "animals" the dog's
plural_classes as (
    select distinct source_image_id, class
    from mentions
    where form = 'plural' and (is_generic or class = 'person')
),

-- "the person" may be anybody where a text names a man, too
class_counts as (
    select source_image_id, text_id, class
    from mentions
    where form = 'singular' and not is_within_longer
    group by source_image_id, text_id, class
    having count(*) > 1
),

crowded_classes as (
    select distinct source_image_id, class from class_counts
),

generic_concepts as (
    select distinct concept
    from mentions
    where is_generic
),

food_counts as (
    select source_image_id, count(distinct concept) as n_foods
    from mentions
    where class = 'food' and not is_within_longer
    group by source_image_id
),

single_things as (
    select
        pairs.pair_id,
        case
            -- "two people", and "another man" in another text
            when facts.form = 'plural'
                then facts.class <> 'person' or accompanied_classes.class is null
            when plural_heads.head_word is not null then false
            when facts.rule = 'two_colors' then true
            when accompanied_classes.class is not null then false
            when repeated_concepts.concept is not null then false
            when plural_classes.class is not null then false
            when generic_concepts.concept is not null and crowded_classes.class is not null
                then false
            when facts.rule = 'contents' and food_counts.n_foods > 1 then false
            else true
        end as is_only_one
    from pairs
    inner join facts using (fact_id)
    left join repeated_concepts
        on
            facts.source_image_id = repeated_concepts.source_image_id
            and facts.concept = repeated_concepts.concept
    left join accompanied_classes
        on
            facts.source_image_id = accompanied_classes.source_image_id
            and facts.class = accompanied_classes.class
    left join plural_heads
        on
            facts.source_image_id = plural_heads.source_image_id
            and {{ regexp_extract('facts.concept', '[a-z]+$') }} = plural_heads.head_word
    left join plural_classes
        on
            facts.source_image_id = plural_classes.source_image_id
            and facts.class = plural_classes.class
    left join crowded_classes
        on
            facts.source_image_id = crowded_classes.source_image_id
            and facts.class = crowded_classes.class
    left join generic_concepts on facts.concept = generic_concepts.concept
    left join food_counts on facts.source_image_id = food_counts.source_image_id
),

instances as (
    select source_image_id, category, count(*) as n_instances, bool_or(is_crowd) as has_crowd
    from {{ ref('images__instances') }}
    group by source_image_id, category
),

annotated_images as (
    select distinct source_image_id from instances
),

-- a man and a woman are two people, and two instances of one category
named_people as (
    select source_image_id, count(distinct concept) as n_people
    from mentions
    where class = 'person' and form = 'singular'
    group by source_image_id
),

-- pairs whose picture annotators looked at, and whose thing is of a category that they know
checked_pairs as (
    select
        pairs.pair_id, facts.form, facts.class,
        coalesce(instances.n_instances, 0) as n_instances,
        coalesce(instances.has_crowd, false) as has_crowd,
        case
            when facts.form = 'plural' then cast(facts.source_answer as bigint)
            when facts.class = 'person' then coalesce(named_people.n_people, 1)
            else 1
        end as n_expected
    from pairs
    inner join facts using (fact_id)
    inner join annotated_images on facts.source_image_id = annotated_images.source_image_id
    left join instances
        on
            facts.source_image_id = instances.source_image_id
            and facts.instance_category = instances.category
    left join named_people on facts.source_image_id = named_people.source_image_id
    where facts.instance_category is not null
),

answer_words as (
    select topic, words, {{ regexp_extract('words', '^[^ ]+') }} as first_word
    from {{ vocabulary('certainly_uncertain', 'answer_words', word='words', value='topic') }}
        as answer_words
),

text_words as (
    select source_image_id, words, {{ unnest_list('words') }} as word from texts
),

-- a word of the topic in any text of the picture may answer the question
answered_topics as (
    select text_words.source_image_id, answer_words.topic, min(answer_words.words) as words
    from text_words
    inner join answer_words on text_words.word = answer_words.first_word
    where
        answer_words.words = answer_words.first_word
        or contains(
            ' ' || {{ array_join('text_words.words', "' '") }} || ' ',
            ' ' || answer_words.words || ' '
        )
    group by text_words.source_image_id, answer_words.topic
),

question_words as (
    select
        pair_id,
        {{ list_sort_distinct(tokens('answerable_question')) }} as answerable_words,
        {{ list_sort_distinct(tokens('unanswerable_question')) }} as unanswerable_words
    from pairs
)

select
    pairs.pair_id as candidate_id,
    -- more than one text names the thing that the pair asks about and the last word of its
    -- answer, where there are enough texts to expect it
    pair_support.is_supported as passes_support,
    -- no text of the picture contradicts the answer, nor the fact that makes a reference
    -- ambiguous
    contradicted_facts.fact_id is null
    and contradicted_rivals.fact_id is null as passes_contradiction,
    coalesce(contradicted_facts.contradiction, contradicted_rivals.contradiction)
        as contradiction_detail,
    -- the thing is the only one of its kind, as far as the texts tell
    single_things.is_only_one as passes_only_one,
    -- COCO's annotators found as many objects as the pair needs: one where it asks about one
    -- thing, the number that it tells of otherwise, and none of them in a crowd
    not checked_pairs.has_crowd
    and case
        when checked_pairs.form = 'singular' and checked_pairs.class = 'person'
            then checked_pairs.n_instances between 1 and checked_pairs.n_expected
        else checked_pairs.n_instances = checked_pairs.n_expected
    end as passes_instances,
    'COCO has ' || cast(checked_pairs.n_instances as string)
    || ' of them, ' || cast(checked_pairs.n_expected as string)
    || ' expected' as instances_detail,
    -- no text of the picture has a word of what the unanswerable question asks for: a price, a
    -- name, an age, a time
    answered_topics.topic is null as passes_open,
    answered_topics.words as open_detail,
    -- the two questions share enough words
    {{ jaccard(
        list_intersect_size(
            'question_words.answerable_words', 'question_words.unanswerable_words'
        ),
        list_length('question_words.answerable_words'),
        list_length('question_words.unanswerable_words')
    ) }} >= {{ threshold('certainly_uncertain', 'least_pair_overlap') }} as passes_overlap
from pairs
inner join question_words using (pair_id)
left join {{ ref('certainly_uncertain__pair_support') }} as pair_support using (pair_id)
left join contradicted_facts using (fact_id)
left join contradicted_facts as contradicted_rivals
    on pairs.rival_fact_id = contradicted_rivals.fact_id
left join single_things using (pair_id)
left join checked_pairs using (pair_id)
left join answered_topics using (source_image_id, topic)
