with
stems as (
    select
        *,
        ' ' || coalesce(classes, '') || ' ' as spaced_classes,
        ' ' || coalesce(other_concepts, '') || ' ' as spaced_other_concepts
    from {{ ref('uncertainty_stems') }}
),

stem_words as (
    select
        stem,
        says,
        {{ unnest_list(regexp_extract_all('words', '[^|]+')) }} as words
    from {{ ref('uncertainty_stem_words') }}
    where says in ('leads', 'leads_loosely', 'trails', 'few')
),

readings as (select * from {{ ref('certainly_uncertain__stem_readings') }}),
texts as (select * from {{ ref('certainly_uncertain__texts') }}),

mentions as (
    select * from {{ ref('certainly_uncertain__mentions') }}
    where concept is not null and not is_within_longer
),

nouns as (select * from {{ ref('certainly_uncertain__nouns') }}),
facts as (select * from {{ ref('certainly_uncertain__image_facts') }}),
rule_pairs as (select * from {{ ref('certainly_uncertain__rule_pairs') }}),
rule_pair_findings as (select * from {{ ref('certainly_uncertain__rule_pair_findings') }}),

-- of two things of one name the question means neither; of a cow with a bird on its back "the
-- animal" is the cow, and what the one or the other does answers what "the person" does
templates as (
    select * from {{ ref('uncertainty_templates') }}
    where category = 'ambiguity' and side = 'unanswerable' and classes is null
),

-- facts that some pair of one picture was found sound by
sound_facts as (
    select
        facts.fact_id, facts.source_image_id, facts.rule, facts.form, facts.concept, facts.class,
        facts.noun, facts.verb, facts.garment, facts.answer, facts.texts_seen
    from facts
    inner join rule_pairs using (fact_id)
    inner join rule_pair_findings as findings
        on rule_pairs.pair_id = findings.candidate_id
    where
        rule_pairs.category <> 'ambiguity'
        and coalesce(findings.passes_support, true)
        and coalesce(findings.passes_contradiction, true)
        and coalesce(findings.passes_only_one, true)
        and coalesce(findings.passes_instances, true)
    group by
        facts.fact_id, facts.source_image_id, facts.rule, facts.form, facts.concept, facts.class,
        facts.noun, facts.verb, facts.garment, facts.answer, facts.texts_seen
),

open_bars as (
    select
        source_image_id,
        stem,
        min(words) as open_bar
    from readings
    where says = 'bars_open'
    group by source_image_id, stem
),

colorless_texts as (
    select
        readings.source_image_id,
        {{ list_sort_distinct(array_agg_unordered('texts.text')) }} as texts_seen
    from readings
    inner join texts using (text_id)
    where readings.stem = 'color' and readings.says = 'opens'
    group by readings.source_image_id
),

-- "flat bed truck" names no bed, "bird cages" no bird
named_things as (
    select
        mentions.source_image_id, mentions.concept, mentions.class, mentions.form,
        {{ min_by('mentions.term', 'mentions.text_id') }} as noun,
        count(distinct mentions.text_id) as n_texts
    from mentions
    inner join texts using (text_id)
    left join nouns
        on {{ list_extract('texts.words', 'mentions.end_position') }} = nouns.term
    left join {{ vocabulary('certainly_uncertain', 'compound_heads') }} as compound_heads
        on {{ list_extract('texts.words', 'mentions.end_position') }} = compound_heads.word
    where
        mentions.form in ('singular', 'plural')
        and not mentions.is_generic
        and nouns.term is null
        and compound_heads.word is null
    group by mentions.source_image_id, mentions.concept, mentions.class, mentions.form
),

text_counts as (
    select
        source_image_id,
        count(*) as n_texts
    from texts
    group by source_image_id
),

colored_things as (
    select distinct source_image_id, concept
    from facts
    where rule = 'color'
),

-- of several of a kind nobody says "the boat": more than one in some text, or in outlines
several_things as (
    select distinct named_things.source_image_id, named_things.concept
    from named_things
    inner join mentions
        on
            named_things.source_image_id = mentions.source_image_id
            and mentions.form = 'plural'
            and (
                {{ regexp_extract('named_things.concept', '[a-z]+$') }}
                = {{ regexp_extract('mentions.concept', '[a-z]+$') }}
                or (mentions.is_generic and named_things.class = mentions.class)
            )
    union
    select source_image_id, concept
    from mentions
    where form = 'singular' and not is_within_longer
    group by source_image_id, concept, text_id
    having count(*) > 1
    union
    select mentions.source_image_id, mentions.concept
    from mentions
    inner join texts using (text_id)
    where {{ list_extract('texts.words', 'mentions.position - 1') }} in ('another', 'other')
    union
    select instances.source_image_id, nouns.concept
    from {{ ref('images__instances') }} as instances
    inner join nouns on instances.category = nouns.instance_category and nouns.form = 'singular'
    group by instances.source_image_id, nouns.concept, nouns.term
    having count(*) > 1
),

-- of a wooden bench or a marble table a gray photograph shows the color well enough
things_of_known_color as (
    select distinct mentions.source_image_id, mentions.concept
    from mentions
    inner join texts using (text_id)
    inner join {{ vocabulary('certainly_uncertain', 'known_colors') }} as known_colors
        on {{ list_extract('texts.words', 'mentions.position - 1') }} = known_colors.word
),

-- in a photograph without colors nothing has one that can be told
colorless_sides as (
    select
        named_things.source_image_id, stems.stem, stems.category,
        'unanswerable' as side,
        {{ filled_slots('stems.question', {'noun': 'named_things.noun'}) }} as question,
        cast(null as string) as answer,
        named_things.noun as thing,
        colorless_texts.texts_seen,
        -- what one caption of several names may be something else to the others
        named_things.n_texts > 1
        or text_counts.n_texts < {{ threshold('certainly_uncertain', 'support_from_texts') }}
            as is_supported,
        case
            when colored_things.concept is not null then 'its color'
            when things_of_known_color.concept is not null then 'its material'
            when named_things.form = 'singular' and several_things.concept is not null
                then 'several of a kind'
            else open_bars.open_bar
        end as contradiction
    from colorless_texts
    left join open_bars
        on
            colorless_texts.source_image_id = open_bars.source_image_id
            and open_bars.stem = 'color'
    inner join named_things
        on colorless_texts.source_image_id = named_things.source_image_id
    inner join text_counts
        on colorless_texts.source_image_id = text_counts.source_image_id
    inner join stems
        on
            stems.stem
            = case named_things.form when 'singular' then 'color' else 'color_of_several' end
            and contains(stems.spaced_classes, ' ' || named_things.class || ' ')
            and not contains(
                stems.spaced_other_concepts,
                ' ' || replace(named_things.concept, ' ', '-') || ' '
            )
    left join colored_things
        on
            named_things.source_image_id = colored_things.source_image_id
            and named_things.concept = colored_things.concept
    left join things_of_known_color
        on
            named_things.source_image_id = things_of_known_color.source_image_id
            and named_things.concept = things_of_known_color.concept
    left join several_things
        on
            named_things.source_image_id = several_things.source_image_id
            and named_things.concept = several_things.concept
),

-- the words before and behind a plural noun
plural_things as (
    select
        mentions.text_id, mentions.source_image_id, mentions.concept, mentions.term, texts.text,
        ' ' || {{ array_join(list_slice(
            'texts.words', 'greatest(mentions.position - 4, 1)', 'mentions.position - 1'
        ), "' '") }} || ' ' as words_before,
        ' ' || {{ array_join(list_slice(
            'texts.words', 'mentions.end_position', 'mentions.end_position + 5'
        ), "' '") }} || ' ' as words_behind
    from mentions
    inner join texts using (text_id)
    where mentions.form = 'plural'
),

led_things as (
    select
        plural_things.source_image_id, stem_words.stem, plural_things.concept,
        min(plural_things.term) as term,
        bool_or(stem_words.says <> 'leads_loosely') as is_led_closely,
        {{ list_sort_distinct(array_agg_unordered('plural_things.text')) }} as texts_seen
    from plural_things
    inner join stem_words
        on
            stem_words.says <> 'few'
            and case stem_words.says
                when 'trails' then plural_things.words_behind
                else plural_things.words_before
            end like case stem_words.says
                when 'trails' then ' ' || stem_words.words || ' %'
                else '% ' || stem_words.words || ' '
            end
    -- of a pile of oranges, apples and pears, of a crowd of adults and children each may be few
    left join nouns
        on {{ regexp_extract(
            regexp_replace('plural_things.words_behind', '^ (and|or) ', ''), '[a-z]+'
        ) }} = nouns.term
    where nouns.term is null
    group by plural_things.source_image_id, stem_words.stem, plural_things.concept
),

-- how many texts say that there are many of a thing
said_to_be_many as (
    select
        plural_things.source_image_id, readings.stem, plural_things.concept,
        count(distinct plural_things.text_id) as n_texts
    from plural_things
    inner join readings using (text_id)
    where readings.says = 'many'
    group by plural_things.source_image_id, readings.stem, plural_things.concept
),

-- things that some text names one of
single_things as (
    select distinct source_image_id, concept
    from mentions
    where form = 'singular'
),

counted_things as (
    select distinct source_image_id, concept
    from facts
    where source_rule = 'count'
),

-- "several boats", "a few white sheep" may be counted
few_things as (
    select distinct plural_things.source_image_id, stem_words.stem, plural_things.concept
    from plural_things
    inner join stem_words
        on {{ regexp_matches_whole(
            'plural_things.words_before', "'.* ' || stem_words.words || ' ([a-z0-9]+ )?'"
        ) }}
    where stem_words.says = 'few'
),

-- more than anybody can count
countless_sides as (
    select
        led_things.source_image_id, stems.stem, stems.category,
        'unanswerable' as side,
        {{ filled_slots('stems.question', {'noun': 'led_things.term'}) }} as question,
        cast(null as string) as answer,
        led_things.term as thing,
        led_things.texts_seen,
        -- a street full of cars may show few of them, unless another text says so, too
        led_things.is_led_closely
        or coalesce(said_to_be_many.n_texts, 0) > 1
        or text_counts.n_texts < {{ threshold('certainly_uncertain', 'support_from_texts') }}
            as is_supported,
        case
            when counted_things.concept is not null then 'their number'
            when few_things.concept is not null then 'few of them'
            when single_things.concept is not null and coalesce(said_to_be_many.n_texts, 0) < 2
                then 'one alone'
            else open_bars.open_bar
        end as contradiction
    from led_things
    inner join stems
        on
            led_things.stem = stems.stem
            and stems.slot = 'nouns'
            and not contains(
                stems.spaced_other_concepts,
                ' ' || replace(led_things.concept, ' ', '-') || ' '
            )
    inner join text_counts using (source_image_id)
    left join counted_things using (source_image_id, concept)
    left join single_things using (source_image_id, concept)
    left join few_things
        on
            led_things.source_image_id = few_things.source_image_id
            and led_things.stem = few_things.stem
            and led_things.concept = few_things.concept
    left join said_to_be_many
        on
            led_things.source_image_id = said_to_be_many.source_image_id
            and led_things.stem = said_to_be_many.stem
            and led_things.concept = said_to_be_many.concept
    left join open_bars
        on
            led_things.source_image_id = open_bars.source_image_id
            and led_things.stem = open_bars.stem
),

-- "a black and white toilet" in a shop of many colors may be the one that is asked about
things_of_one_color as (
    select distinct mentions.source_image_id, mentions.concept
    from mentions
    inner join texts using (text_id)
    inner join {{ ref('lexicon__terms') }} as terms
        on {{ list_extract('texts.words', 'mentions.position - 1') }} = terms.term
    where mentions.form = 'singular' and terms.category = 'colors'
),

-- "a brown bird with a white head" is brown and white
things_with_other_color as (
    select distinct mentions.source_image_id, mentions.concept
    from mentions
    inner join texts using (text_id)
    inner join {{ ref('lexicon__terms') }} as terms
        on array_contains(
            {{ list_slice(
                'texts.words', 'mentions.end_position + 1', 'mentions.end_position + 3'
            ) }},
            terms.term
        )
    where
        terms.category = 'colors'
        and {{ list_extract('texts.words', 'mentions.end_position') }} = 'with'
),

-- one of several things in different colors
many_colored_sides as (
    select
        led_things.source_image_id, stems.stem, stems.category,
        'unanswerable' as side,
        {{ filled_slots('stems.question', {'noun': 'nouns.term'}) }} as question,
        cast(null as string) as answer,
        nouns.term as thing,
        led_things.texts_seen,
        true as is_supported,
        case
            when colored_things.concept is not null or things_of_one_color.concept is not null
                then 'its color'
        end as contradiction
    from led_things
    inner join stems
        on led_things.stem = stems.stem and stems.stem = 'colors'
    inner join nouns
        on
            led_things.term = nouns.plural_term
            and led_things.concept = nouns.concept
            and nouns.form = 'singular'
    left join colored_things
        on
            led_things.source_image_id = colored_things.source_image_id
            and led_things.concept = colored_things.concept
    left join things_of_one_color
        on
            led_things.source_image_id = things_of_one_color.source_image_id
            and led_things.concept = things_of_one_color.concept
),

-- a reference that fits two things here
ambiguous_sides as (
    select
        rule_pairs.source_image_id,
        rule_pairs.unanswerable_rule as stem,
        rule_pairs.category,
        'unanswerable' as side,
        rule_pairs.unanswerable_question as question,
        cast(null as string) as answer,
        rule_pairs.object_words as thing,
        facts.texts_seen,
        coalesce(findings.passes_support, true) as is_supported,
        case
            when not findings.passes_contradiction then findings.contradiction_detail
            when not findings.passes_only_one then 'several of a kind'
            when not findings.passes_instances then findings.instances_detail
        end as contradiction
    from rule_pairs
    inner join rule_pair_findings as findings
        on rule_pairs.pair_id = findings.candidate_id
    inner join facts using (fact_id)
    inner join templates
        on rule_pairs.unanswerable_rule = templates.template
    where rule_pairs.category = 'ambiguity'
),

-- and one there
unambiguous_sides as (
    select
        sound_facts.source_image_id,
        templates.template as stem,
        templates.category,
        'answerable' as side,
        {{ filled_slots('templates.question', {
            'noun': 'sound_facts.noun',
            'garment': 'sound_facts.garment',
            'verb': 'sound_facts.verb',
        }) }} as question,
        sound_facts.answer,
        sound_facts.noun as thing,
        sound_facts.texts_seen,
        true as is_supported,
        cast(null as string) as contradiction
    from sound_facts
    inner join templates
        on
            sound_facts.form = templates.form
            and (
                sound_facts.rule = templates.rule
                or (sound_facts.rule = 'color' and templates.rule = 'two_colors')
            )
    union all
    select
        sound_facts.source_image_id, stems.stem, stems.category,
        'answerable' as side,
        {{ filled_slots('stems.question', {'noun': 'sound_facts.noun'}) }} as question,
        sound_facts.answer,
        sound_facts.noun as thing,
        sound_facts.texts_seen,
        -- one text of several that calls a thing black may be the only one that sees it so
        sound_facts.rule <> 'color'
        or {{ list_length('sound_facts.texts_seen') }} > 1
        or text_counts.n_texts < {{ threshold('certainly_uncertain', 'support_from_texts') }}
            as is_supported,
        case
            when colorless_texts.source_image_id is not null then 'a picture without colors'
            when things_with_other_color.concept is not null then 'another color'
        end as contradiction
    from sound_facts
    inner join text_counts using (source_image_id)
    inner join stems
        on
            (stems.slot = 'noun' and sound_facts.rule = 'color' and sound_facts.form = 'singular')
            or (stems.slot = 'nouns' and sound_facts.rule = 'count')
    left join colorless_texts
        on
            sound_facts.source_image_id = colorless_texts.source_image_id
            and sound_facts.rule = 'color'
    left join things_with_other_color
        on
            sound_facts.source_image_id = things_with_other_color.source_image_id
            and sound_facts.concept = things_with_other_color.concept
            and sound_facts.rule = 'color'
),

sides as (
    select * from colorless_sides
    union all
    select * from countless_sides
    union all
    select * from many_colored_sides
    union all
    select * from ambiguous_sides
    union all
    select * from unambiguous_sides
),

-- several facts may give the same side
ranked_sides as (
    select
        *,
        row_number() over (
            partition by source_image_id, stem, question, side, answer
            order by
                case when is_supported and contradiction is null then 1 else 2 end,
                thing,
                {{ array_join('texts_seen', "' '") }},
                contradiction
        ) as preference
    from sides
)

select
    md5(concat_ws(
        '|', source_image_id, stem, question, side, coalesce(answer, '')
    )) as slot_side_id,
    * {{ exclude('preference') }}
from ranked_sides
where preference = 1
