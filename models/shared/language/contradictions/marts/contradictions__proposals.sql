with

caption_words as (

    select * from {{ ref('contradictions__caption_words') }}

),

readings as (

    select * from {{ ref('contradictions__readings') }}

),

swaps as (

    select * from {{ ref('lexicon_swaps') }}

),

agreement as (

    select * from {{ ref('lexicon_agreement') }}

),

-- "one dog is" takes its noun and verb along: "two dogs are"
counted_ones as (

    select
        ones.caption_id,
        ones.position,
        nouns.end_position,
        nouns.plural_term,
        nouns.next_word,
        agreement.plural_verb,
        nouns.separator_after
    from readings as ones
    inner join readings as nouns
        on
            ones.caption_id = nouns.caption_id
            and ones.end_position = nouns.position
    left join agreement
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
edited as (

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
mentioned as (

    select distinct
        caption_id,
        concept
    from readings

),

options as (

    select
        edited.caption_id,
        edited.position,
        edited.term,
        edited.category,
        edited.form,
        swaps.concept as new_concept,
        swaps.replacement,
        {{ seeded_order(
            'contradiction',
            "cast(edited.caption_id as " ~ dbt.type_string() ~ ") || ':' || "
            ~ "cast(edited.position as " ~ dbt.type_string() ~ ") || ':' || swaps.replacement"
        ) }} as option_order
    from edited
    inner join swaps
        on
            edited.swap_set = swaps.swap_set
            and edited.form = swaps.form
            and edited.concept <> swaps.concept
    left join mentioned
        on
            edited.caption_id = mentioned.caption_id
            and swaps.concept = mentioned.concept
    where mentioned.caption_id is null

),

chosen as (

    select
        caption_id,
        position,
        category,
        {{ min_by('form', order_by='option_order') }} as form,
        {{ min_by('new_concept', order_by='option_order') }} as new_concept,
        {{ min_by('replacement', order_by='option_order') }} as replacement,
        {{ list_extract(array_agg('replacement', order_by='option_order'), 2) }} as alternative
    from options
    group by caption_id, position, category

),

cut as (

    select
        edited.caption_id,
        edited.position,
        edited.edit_end,
        edited.change_type,
        edited.category,
        edited.subcategory,
        edited.form,
        edited.term,
        edited.concept,
        edited.reading,
        edited.previous_word,
        edited.separator_before,
        chosen.new_concept,
        chosen.replacement,
        chosen.alternative,
        caption_words.source_image_id,
        caption_words.caption,
        edited.counted_plural,
        edited.counted_verb,
        length({{ array_join(list_head('caption_words.words', 'edited.position - 1'), "''") }})
        + length({{ array_join(list_head('caption_words.separators', 'edited.position'), "''") }})
        + 1 as term_start,
        length({{ array_join(list_head('caption_words.words', 'edited.edit_end - 1'), "''") }})
        + length({{ array_join(
            list_head('caption_words.separators', 'edited.edit_end - 1'), "''"
        ) }})
        + 1 as edit_stop
    from chosen
    inner join edited
        on
            chosen.caption_id = edited.caption_id
            and chosen.position = edited.position
            and chosen.category = edited.category
            and chosen.form = edited.form
    inner join caption_words
        on chosen.caption_id = caption_words.caption_id

),

-- the article in front belongs to the edit where it must change
spanned as (

    select
        *,
        coalesce(
            previous_word in ('a', 'an')
            and separator_before = ' '
            and ({{ indefinite_article('replacement') }}) <> previous_word, false
        ) as is_article_changed,
        substr(caption, term_start, edit_stop - term_start) as changed_from
    from cut

),

worded as (

    select
        *,
        case
            when is_article_changed then term_start - length(previous_word) - 1
            else term_start
        end as span_start,
        {{ capitalized_like('replacement', 'changed_from') }}
        || coalesce(' ' || counted_plural, '')
        || coalesce(' ' || counted_verb, '') as changed_to
    from spanned

),

-- what stands in the span afterwards, its article included
rewritten as (

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
        || changed_to as new_text
    from worded

),

final as (

    select
        cast(caption_id as {{ dbt.type_string() }}) || '::'
        || cast(position as {{ dbt.type_string() }}) || '::' || category as proposal_id,
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
        cast(edit_stop - span_start as bigint) as span_length
    from rewritten

)

select * from final
