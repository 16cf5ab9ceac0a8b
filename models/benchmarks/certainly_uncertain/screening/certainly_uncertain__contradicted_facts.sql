with

facts as (

    select * from {{ ref('certainly_uncertain__image_facts') }}

),

tagged_texts as (

    select * from {{ ref('certainly_uncertain__tagged_texts') }}

),

mentions as (

    select * from {{ ref('certainly_uncertain__mentions') }}

),

nouns as (

    select * from {{ ref('certainly_uncertain__nouns') }}

),

-- everything that a text says of a thing's color, patterns and several colors included
colored_nouns as (

    select
        source_image_id,
        {{ unnest_list(regexp_extract_all(
            'tagged_text',
            tagged('color', 'patterned') ~ '(' ~ tagged('color', 'patterned', 'joint', 'modifier')
            ~ '){0,4}' ~ tagged('singular', 'plural', 'mass')
        )) }} as colored_noun
    from tagged_texts
    union all
    select
        source_image_id,
        {{ unnest_list(regexp_extract_all(
            'tagged_text',
            tagged('singular', 'plural', 'mass') ~ '(' ~ tagged('relative') ~ ')?' ~ tagged('be')
            ~ '(' ~ tagged('modifier', 'joint') ~ ')?' ~ tagged('color', 'patterned')
        )) }} as colored_noun
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

other_colors as (

    select distinct facts.fact_id
    from said_colors
    inner join nouns
        on said_colors.noun = nouns.term
    inner join facts
        on
            said_colors.source_image_id = facts.source_image_id
            and nouns.concept = facts.concept
    where
        facts.source_rule = 'color'
        and not contains(
            ' ' || facts.answer || ' ', ' ' || {{ without_tags('said_colors.color') }} || ' '
        )

),

-- "holding a racket" and "holding a ball", or "on a bed" and "on a couch": the same is said of the
-- thing with other words
other_answers as (

    select distinct facts.fact_id
    from facts
    inner join facts as others
        on
            facts.source_image_id = others.source_image_id
            and facts.concept = others.concept
            and facts.form = others.form
            and facts.rule = others.rule
    where
        (
            facts.rule = 'contents'
            or (facts.rule = 'object' and facts.verb = others.verb)
            or (
                facts.rule = 'place'
                and {{ regexp_extract('facts.answer', '^[a-z]+') }}
                = {{ regexp_extract('others.answer', '^[a-z]+') }}
            )
        )
        and {{ regexp_extract('facts.answer', '[a-z]+$') }}
        <> {{ regexp_extract('others.answer', '[a-z]+$') }}

),

-- who sits does not stand
other_postures as (

    select distinct facts.fact_id
    from facts
    inner join facts as others
        on
            facts.source_image_id = others.source_image_id
            and facts.concept = others.concept
            and facts.exclusive_set = others.exclusive_set
    where facts.verb <> others.verb

),

other_numbers as (

    select distinct facts.fact_id
    from facts
    inner join facts as others
        on
            facts.source_image_id = others.source_image_id
            and facts.concept = others.concept
    where
        facts.source_rule = 'count'
        and others.source_rule = 'count'
        and facts.source_answer <> others.source_answer

),

-- one text sees one of them only, or calls the person of the other gender
image_genders as (

    select
        source_image_id,
        min(gender) as one_gender,
        max(gender) as other_gender
    from mentions
    where gender is not null
    group by source_image_id

),

texts_with_both_genders as (

    select distinct source_image_id
    from (
        select
            source_image_id,
            text_id
        from mentions
        where gender is not null
        group by source_image_id, text_id
        having count(distinct gender) > 1
    ) as mixed_texts

),

other_genders as (

    select facts.fact_id
    from facts
    inner join image_genders
        on facts.source_image_id = image_genders.source_image_id
    left join texts_with_both_genders
        on facts.source_image_id = texts_with_both_genders.source_image_id
    where
        facts.class = 'person'
        and image_genders.one_gender <> image_genders.other_gender
        and texts_with_both_genders.source_image_id is null

),

single_mentions as (

    select distinct facts.fact_id
    from facts
    inner join mentions
        on
            facts.source_image_id = mentions.source_image_id
            and facts.concept = mentions.concept
    where
        facts.source_rule = 'count'
        and facts.source_answer <> '1'
        and mentions.form = 'singular'
        and not mentions.is_within_longer

),

contradictions as (

    select
        fact_id,
        'another color' as contradiction
    from other_colors
    union all
    select
        fact_id,
        'another answer' as contradiction
    from other_answers
    union all
    select
        fact_id,
        'another posture' as contradiction
    from other_postures
    union all
    select
        fact_id,
        'another number' as contradiction
    from other_numbers
    union all
    select
        fact_id,
        'one alone' as contradiction
    from single_mentions
    union all
    select
        fact_id,
        'another gender' as contradiction
    from other_genders

),

final as (

    select
        fact_id,
        min(contradiction) as contradiction
    from contradictions
    group by fact_id

)

select * from final
