with
caption_words as (select * from {{ ref('contradictions__caption_words') }}),
readings as (select * from {{ ref('contradictions__readings') }}),

-- "one dog is" takes its noun and verb along: "two dogs are"
counted_ones as (
    select
        ones.caption_id, ones.position, nouns.end_position, nouns.plural_term, nouns.next_word,
        agreement.plural_verb, nouns.separator_after
    from readings as ones
    inner join readings as nouns
        on ones.caption_id = nouns.caption_id and ones.end_position = nouns.position
    left join {{ vocabulary('lexicon', 'agreement', word='singular_verb', value='plural_verb') }}
        as agreement
        on nouns.next_word = agreement.singular_verb and nouns.separator_after = ' '
    where
        ones.reading = 'one'
        and ones.is_held
        and nouns.is_held
        and nouns.form = 'singular'
        and (
            agreement.plural_verb is not null
            or nouns.next_word is null
            or nouns.separator_after <> ' '
            or not {{ regexp_matches('nouns.next_word', 's$') }}
        )
),

-- an edit changes its words, and what must agree with them
editable_readings as (
    select
        readings.*,
        counted_ones.plural_term as counted_plural,
        counted_ones.plural_verb as counted_verb,
        case
            when counted_ones.plural_verb is not null then counted_ones.end_position + 1
            when counted_ones.caption_id is not null then counted_ones.end_position
            else readings.end_position
        end as edit_end
    from readings
    left join counted_ones
        on
            readings.caption_id = counted_ones.caption_id
            and readings.position = counted_ones.position
            and readings.reading = 'one'
    where
        readings.is_held
        and readings.swap_set is not null
        and (readings.reading <> 'one' or counted_ones.caption_id is not null)
),

-- a caption that speaks of a concept already is not contradicted by it
mentioned_concepts as (
    select distinct caption_id, concept from readings
),

plausible_words as (
    select
        editable_readings.caption_id, editable_readings.position, editable_readings.category,
        editable_readings.form,
        swaps.concept as new_concept,
        swaps.replacement,
        lookalikes.concept is not null as is_lookalike,
        cast(editable_readings.caption_id as string) || ':'
        || cast(editable_readings.position as string) || ':' || swaps.replacement
            as option_key
    from editable_readings
    inner join {{ ref('lexicon_swaps') }} as swaps
        on
            editable_readings.swap_set = swaps.swap_set
            and editable_readings.form = swaps.form
            and editable_readings.concept <> swaps.concept
    left join mentioned_concepts
        on
            editable_readings.caption_id = mentioned_concepts.caption_id
            and swaps.concept = mentioned_concepts.concept
    left join {{ vocabulary('lexicon', 'lookalikes', word='concept', value='lookalike') }}
        as lookalikes
        on
            editable_readings.concept = lookalikes.concept
            and swaps.concept = lookalikes.lookalike
    where mentioned_concepts.caption_id is null
),

-- new words that a picture can't tell from the old one come last; of two readings of a word, such
-- as the sport and the ball, the one whose form comes first in the alphabet counts
ordered_words as (
    select
        *,
        case when is_lookalike then '1' else '0' end
        || {{ seeded_order('contradiction', 'option_key') }} || form as option_order
    from plausible_words
),

first_words as (
    select
        caption_id, position, category,
        {{ first_values_by(
            struct_pack(
                form='form',
                new_concept='new_concept',
                replacement='replacement',
                is_lookalike='is_lookalike'
            ),
            order_by='option_order',
            n=2
        ) }} as words
    from ordered_words
    group by caption_id, position, category
),

split_words as (
    select
        caption_id, position, category,
        {{ list_extract('words', 1) }} as first_word,
        {{ list_extract('words', 2) }} as second_word
    from first_words
),

-- the second word is what a question offers beside both
chosen_words as (
    select
        caption_id, position, category,
        first_word.form as form,
        first_word.new_concept as new_concept,
        first_word.replacement as replacement,
        case
            when
                not second_word.is_lookalike
                and second_word.replacement
                <> first_word.replacement
                then second_word.replacement
        end as alternative,
        first_word.is_lookalike as is_lookalike
    from split_words
),

-- "the batter swings at the baseball": words of the caption that go only with what would change
collocated_concepts as (
    select distinct editable_readings.caption_id, editable_readings.position
    from editable_readings
    inner join {{ vocabulary('lexicon', 'collocations', word='concept', value='word') }}
        as collocations
        using (concept)
    inner join caption_words using (caption_id)
    where
        array_contains(
            {{ list_head('caption_words.words', 'editable_readings.position - 1') }},
            collocations.word
        )
        or array_contains(
            {{ list_slice(
                'caption_words.words',
                'editable_readings.end_position',
                list_length('caption_words.words')
            ) }},
            collocations.word
        )
),

text_spans as (
    select
        editable_readings.caption_id, editable_readings.position, editable_readings.edit_end,
        editable_readings.change_type, editable_readings.category, editable_readings.subcategory,
        editable_readings.form, editable_readings.term, editable_readings.concept,
        editable_readings.reading, editable_readings.previous_word,
        editable_readings.separator_before, chosen_words.new_concept, chosen_words.replacement,
        chosen_words.alternative,
        not chosen_words.is_lookalike and collocated_concepts.caption_id is null as is_fitting,
        caption_words.source_image_id, caption_words.caption, editable_readings.counted_plural,
        editable_readings.counted_verb,
        length({{ array_join(
            list_head('caption_words.words', 'editable_readings.position - 1'), "''"
        ) }})
        + length({{ array_join(
            list_head('caption_words.separators', 'editable_readings.position'), "''"
        ) }})
        + 1 as term_start,
        length({{ array_join(
            list_head('caption_words.words', 'editable_readings.edit_end - 1'), "''"
        ) }})
        + length({{ array_join(
            list_head('caption_words.separators', 'editable_readings.edit_end - 1'), "''"
        ) }})
        + 1 as edit_stop
    from chosen_words
    inner join editable_readings using (caption_id, position, category, form)
    inner join caption_words using (caption_id)
    left join collocated_concepts using (caption_id, position)
),

-- the article in front belongs to the edit where it must change
article_spans as (
    select
        *,
        coalesce(
            previous_word in ('a', 'an')
            and separator_before = ' '
            and ({{ indefinite_article('replacement') }}) <> previous_word, false
        ) as is_article_changed,
        substr(caption, term_start, edit_stop - term_start) as changed_from
    from text_spans
),

replaced_spans as (
    select
        *,
        case
            when is_article_changed then term_start - length(previous_word) - 1
            else term_start
        end as span_start,
        {{ capitalized_like('replacement', 'changed_from') }}
        || coalesce(' ' || counted_plural, '')
        || coalesce(' ' || counted_verb, '') as written_words
    from article_spans
),

-- the words in the span after the edit, with their article
rewritten_spans as (
    select
        *,
        case
            when is_article_changed
                then
                    {{ capitalized_like(
                        indefinite_article('replacement'),
                        'substr(caption, span_start, 1)'
                    ) }} || ' '
            else ''
        end
        || written_words as written_text
    from replaced_spans
),

-- in a caption all in capitals another word would show what was changed
rewritten_captions as (
    select
        *,
        case when caption = upper(caption) then upper(written_words) else written_words end
            as changed_to,
        case when caption = upper(caption) then upper(written_text) else written_text end
            as new_text
    from rewritten_spans
)

select
    cast(caption_id as string) || '::'
    || cast(position as string) || '::' || category as proposal_id,
    caption_id,
    source_image_id,
    caption,
    substr(caption, 1, span_start - 1) || new_text || substr(caption, edit_stop)
        as edited_caption,
    substr(caption, span_start, edit_stop - span_start) as original,
    new_text as replacement,
    changed_from,
    changed_to,
    alternative,
    change_type,
    category,
    subcategory,
    case
        when counted_plural is not null then 'swap_and_agree'
        when is_article_changed then 'swap_and_article'
        else 'swap'
    end as edit_kind,
    concept,
    new_concept,
    form,
    position as word_position,
    edit_end as end_position,
    cast(span_start as bigint) as span_start,
    cast(edit_stop - span_start as bigint) as span_length,
    is_fitting
from rewritten_captions
