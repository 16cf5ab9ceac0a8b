with
caption_words as (select * from {{ ref('contradictions__caption_words') }}),
readings as (select * from {{ ref('contradictions__readings') }}),
drawn_words as (select * from {{ ref('contradictions__drawn_words') }}),

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
        editable_readings.separator_before, drawn_words.new_concept, drawn_words.replacement,
        drawn_words.alternative,
        not drawn_words.is_lookalike and collocated_concepts.caption_id is null as is_fitting,
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
    from drawn_words
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
