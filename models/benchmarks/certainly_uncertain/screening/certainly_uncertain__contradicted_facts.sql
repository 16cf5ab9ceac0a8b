{%- set color_before_noun -%}
    {{ tagged('color', 'patterned') }}
    {{- '' }}(?:{{ tagged('color', 'patterned', 'joint', 'modifier') }}){0,4}
    {{- tagged('singular', 'plural', 'mass') }}
{%- endset -%}
{%- set color_and_color -%}
    {{ tagged('color') }}(?:(?:{{ tagged('stop') }})?(?:{{ tagged('joint') }}|{{ tagged('stop') }})
    {{- tagged('color', 'patterned') }})+
{%- endset -%}
{%- set noun_before_color -%}
    {{ tagged('singular', 'plural', 'mass') }}(?:{{ tagged('relative') }})?{{ tagged('be') }}
    {{- '' }}(?:{{ tagged('modifier', 'joint') }})?{{ tagged('color', 'patterned') }}
{%- endset -%}
{%- set noun_before_doing -%}
    {{ tagged('singular') }}(?:{{ tagged('relative') }})?(?:{{ tagged('be') }})?
    {{- tagged('be', 'verb', 'boundary', 'participle', 'past', 'content') }}
{%- endset -%}
with
tagged_texts as (select * from {{ ref('certainly_uncertain__tagged_texts') }}),
mentions as (select * from {{ ref('certainly_uncertain__mentions') }}),
nouns as (select * from {{ ref('certainly_uncertain__nouns') }}),
postures as (
    select word, value as posture
    from {{ ref('certainly_uncertain_vocabulary') }}
    where list_name = 'postures'
),
rides as (
    select word, value as ride
    from {{ ref('certainly_uncertain_vocabulary') }}
    where list_name = 'rides'
),

colors as (
    select distinct term
    from {{ ref('lexicon_terms') }}
    where category = 'colors'
),

images_with_several_people as (
    select distinct source_image_id
    from (
        select source_image_id, text_id
        from mentions
        where class = 'person' and not is_within_longer
        group by source_image_id, text_id
        having count(*) > 1
    ) as texts_with_several_people
),

-- where no text names two people, a man, a surfer and a person are one
facts as (
    select
        image_facts.*,
        case
            when image_facts.class = 'person' and several_people.source_image_id is null
                then 'the person'
            else image_facts.concept
        end as thing
    from {{ ref('certainly_uncertain__image_facts') }} as image_facts
    left join images_with_several_people as several_people using (source_image_id)
),

-- everything that a text says of a thing's color, patterns and several colors included
colored_nouns as (
    select
        source_image_id,
        {{ unnest_list(regexp_extract_all('tagged_text', color_before_noun)) }} as colored_noun
    from tagged_texts
    union all
    select
        source_image_id,
        {{ unnest_list(regexp_extract_all('tagged_text', noun_before_color)) }} as colored_noun
    from tagged_texts
),

said_colors as (
    select
        source_image_id,
        {{ without_tags(regexp_extract(
            'colored_noun', tagged('singular', 'plural', 'mass')
        )) }} as noun,
        {{ unnest_list(regexp_extract_all('colored_noun', tagged('color', 'patterned'))) }} as color
    from colored_nouns
),

joined_colors as (
    select
        source_image_id,
        {{ unnest_list(regexp_extract_all('tagged_text', color_and_color)) }} as color_pair
    from tagged_texts
),

-- two other texts have the thing in two other places
other_places as (
    select facts.fact_id, min(facts.last_word) as said, min(others.last_word) as otherwise
    from facts
    inner join facts as others using (source_image_id, thing, form, rule)
    where facts.rule = 'place' and facts.last_word <> others.last_word
    group by facts.fact_id
    having count(distinct others.last_word) > 1
),

-- the posture or state of a thing in any form: "sits", "is sitting", "asleep"
said_doings as (
    select
        source_image_id,
        {{ unnest_list(regexp_extract_all('tagged_text', noun_before_doing)) }} as doing
    from tagged_texts
),

said_words as (
    select
        source_image_id,
        {{ without_tags(regexp_extract('doing', tagged('singular'))) }} as noun,
        {{ unnest_list(regexp_extract_all(
            'doing', tagged('be', 'verb', 'boundary', 'participle', 'past', 'content')
        )) }} as word
    from said_doings
),

said_postures as (
    select distinct
        said_words.source_image_id,
        case
            when nouns.class = 'person' and several_people.source_image_id is null
                then 'the person'
            else nouns.concept
        end as thing,
        postures.posture
    from said_words
    inner join nouns on said_words.noun = nouns.term
    inner join postures on {{ without_tags('said_words.word') }} = postures.word
    left join images_with_several_people as several_people using (source_image_id)
),

-- several texts of one person that differ in gender or age: no text names the two as two
person_kinds as (
    select source_image_id, text_id, 'gender' as kind, gender as value
    from mentions
    where gender is not null
    union all
    select source_image_id, text_id, 'age' as kind, age as value
    from mentions
    where age is not null
),

text_kinds as (
    select source_image_id, text_id, kind, min(value) as first_value, max(value) as last_value
    from person_kinds
    group by source_image_id, text_id, kind
),

unclear_people as (
    select source_image_id, kind, min(first_value) as first_value, max(last_value) as last_value
    from text_kinds
    group by source_image_id, kind
    having min(first_value) <> max(last_value) and bool_and(first_value = last_value)
),

text_words as (
    select source_image_id, text_id, {{ unnest_list('words') }} as word
    from {{ ref('certainly_uncertain__texts') }}
),

likenesses as (
    select text_words.source_image_id, min(text_words.word) as word
    from text_words
    inner join {{ vocabulary('certainly_uncertain', 'likenesses') }} as likenesses using (word)
    group by text_words.source_image_id
),

answer_words as (
    select
        fact_id, source_image_id,
        {{ unnest_list(regexp_extract_all('answer', '[a-z]+')) }} as word
    from facts
    where source_rule in ('object', 'place', 'activity')
),

fact_rides as (
    select answer_words.fact_id, answer_words.source_image_id, rides.ride
    from answer_words
    inner join rides using (word)
),

image_rides as (
    select distinct text_words.source_image_id, rides.ride
    from text_words
    inner join rides using (word)
),

-- one text says that a person skis, another that they are on a snowboard
other_rides as (
    select fact_rides.fact_id, min(fact_rides.ride) as said, min(image_rides.ride) as otherwise
    from fact_rides
    inner join image_rides using (source_image_id)
    where fact_rides.ride <> image_rides.ride
    group by fact_rides.fact_id
),

rough_numbers as (
    select distinct
        mentions.source_image_id, mentions.concept, quantity_words.least, quantity_words.most
    from mentions
    inner join {{ ref('certainly_uncertain__texts') }} as texts using (text_id)
    inner join text_words using (text_id)
    inner join {{ ref('uncertainty_quantity_words') }} as quantity_words using (word)
    -- two officers by a yard filled with flags are two
    where
        not quantity_words.leads
        or array_contains(
            {{ list_slice('texts.words', '1', 'mentions.position - 1') }}, quantity_words.word
        )
),

contradictions as (
    select
        facts.fact_id, 'another color' as contradiction, facts.answer as said,
        {{ without_tags('said_colors.color') }} as otherwise
    from said_colors
    inner join nouns on said_colors.noun = nouns.term
    inner join facts
        on
            said_colors.source_image_id = facts.source_image_id
            and nouns.concept = facts.concept
    where
        facts.source_rule = 'color'
        and not contains(
            ' ' || facts.answer || ' ', ' ' || {{ without_tags('said_colors.color') }} || ' '
        )
    union all
    -- "a yellow and blue plant" may well be the yellow plane of the others
    select
        facts.fact_id, 'another color', facts.answer,
        {{ without_tags('joined_colors.color_pair') }}
    from joined_colors
    inner join facts
        on
            joined_colors.source_image_id = facts.source_image_id
            and contains(
                ' ' || {{ without_tags('joined_colors.color_pair') }} || ' ',
                ' ' || facts.answer || ' '
            )
    where facts.source_rule = 'color'
    union all
    -- a "grey couch" in one text and a "blue chair" in another may well be the same
    select facts.fact_id, 'another color', facts.answer, others.answer || ' ' || others.concept
    from facts
    inner join facts as others using (source_image_id, class, source_rule)
    where
        facts.class = 'furniture'
        and facts.source_rule = 'color'
        and facts.concept <> others.concept
        and facts.answer <> others.answer
        and {{ list_intersect_size('facts.texts_seen', 'others.texts_seen') }} = 0
    union all
    -- "holding a purple frisbee" where another text has a blue one
    select facts.fact_id, 'another color', facts.answer, {{ without_tags('said_colors.color') }}
    from said_colors
    inner join facts
        on
            said_colors.source_image_id = facts.source_image_id
            and {{ regexp_extract('said_colors.noun', '[a-z]+$') }} = facts.last_word
    inner join colors on contains(' ' || facts.answer || ' ', ' ' || colors.term || ' ')
    where
        facts.source_rule in ('object', 'place', 'activity')
        and not contains(
            ' ' || facts.answer || ' ', ' ' || {{ without_tags('said_colors.color') }} || ' '
        )
    union all
    -- "holding a racket" and "holding a ball", or "on a bed" and "in a chair": the same is said of
    -- the thing with other words
    select facts.fact_id, 'another answer', facts.last_word as said, others.last_word as otherwise
    from facts
    inner join facts as others using (source_image_id, thing, form, rule)
    where
        (
            facts.rule = 'contents'
            or (facts.rule = 'object' and facts.verb = others.verb)
            or (
                facts.rule in ('place', 'activity')
                and {{ regexp_extract('facts.answer', '^[a-z]+( [a-z]+)?') }}
                = {{ regexp_extract('others.answer', '^[a-z]+( [a-z]+)?') }}
            )
            or (
                facts.rule = 'place'
                and {{ regexp_extract('facts.answer', '^[a-z]+') }}
                = {{ regexp_extract('others.answer', '^[a-z]+') }}
            )
            or (facts.place_class = 'furniture' and others.place_class = 'furniture')
        )
        and facts.last_word <> others.last_word
    union all
    select fact_id, 'another answer', said, otherwise from other_places
    union all
    -- a person who sits does not stand
    select facts.fact_id, 'another posture', facts.verb, said_postures.posture
    from facts
    inner join postures on facts.verb = postures.word
    inner join said_postures using (source_image_id, thing)
    where postures.posture <> said_postures.posture
    union all
    select fact_id, 'another ride', said, otherwise from other_rides
    union all
    -- three men are no four people
    select
        facts.fact_id, 'another number', facts.source_answer as said,
        others.source_answer as otherwise
    from facts
    inner join facts as others using (source_image_id, class)
    where
        facts.source_rule = 'count'
        and others.source_rule = 'count'
        and (facts.concept = others.concept or facts.class = 'person')
        and facts.source_answer <> others.source_answer
    union all
    select facts.fact_id, 'another number', facts.source_answer, cast(rough_numbers.least as string)
    from facts
    inner join rough_numbers using (source_image_id, concept)
    where
        facts.source_rule = 'count'
        and (
            cast(facts.source_answer as bigint) < rough_numbers.least
            or cast(facts.source_answer as bigint) > rough_numbers.most
        )
    union all
    select facts.fact_id, 'one alone', facts.source_answer, '1'
    from facts
    inner join mentions using (source_image_id, concept)
    where
        facts.source_rule = 'count'
        and facts.source_answer <> '1'
        and mentions.form = 'singular'
        and not mentions.is_within_longer
    union all
    select facts.fact_id, 'another person', unclear_people.first_value, unclear_people.last_value
    from facts
    inner join unclear_people using (source_image_id)
    where facts.class = 'person'
    union all
    select facts.fact_id, 'only a likeness', facts.concept, likenesses.word
    from facts
    inner join likenesses using (source_image_id)
    where facts.class in ('person', 'animal')
)

select
    fact_id,
    min(contradiction || coalesce(': ' || said || ' against ' || otherwise, '')) as contradiction
from contradictions
group by fact_id
