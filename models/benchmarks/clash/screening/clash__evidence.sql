with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

word_categories as (

    select * from {{ ref('clash__word_categories') }}

),

forbidden as (

    select {{ array_agg('word', order_by='word') }} as words
    from {{ ref('lexicon_forbidden') }}

),

vague as (

    select {{ array_agg('word', order_by='word') }} as words
    from {{ ref('lexicon_forbidden') }}
    where reason = 'vague'

),

-- what each word is known to be a change of
word_types as (

    select
        word,
        {{ array_agg('change_type', order_by='change_type') }} as change_types
    from word_categories
    group by word

),

worded as (

    select
        sample_id,
        change_type,
        categories,
        question,
        {{ plain_words('original_words') }} as original_plain,
        {{ plain_words('conflicting_words') }} as conflicting_plain,
        {{ plain_words("coalesce(image_only_answer, '')") }} as image_plain,
        {{ plain_words("coalesce(text_only_answer, '')") }} as text_plain,
        {{ plain_words("coalesce(distractor_answer, '')") }} as distractor_plain,
        {{ tokens_without_articles('original_caption') }} as original_tokens,
        {{ tokens_without_articles('conflicting_caption') }} as conflicting_tokens,
        {{ tokens_without_articles('original_words') }} as original_word_tokens,
        {{ tokens_without_articles('conflicting_words') }} as conflicting_word_tokens,
        {{ tokens('question') }} as question_tokens
    from candidates
    where question is not null

),

texts as (

    select
        *,
        ' ' || {{ array_join('original_tokens', "' '") }} || ' ' as original_text,
        ' ' || {{ array_join('conflicting_tokens', "' '") }} || ' ' as conflicting_text,
        ' ' || {{ array_join('original_word_tokens', "' '") }} || ' ' as original_span,
        ' ' || {{ array_join('conflicting_word_tokens', "' '") }} || ' ' as conflicting_span,
        ' ' || {{ array_join('question_tokens', "' '") }} || ' ' as question_text
    from worded

),

-- where the changed words may stand: any occurrence of them, replaced, gives the other caption
places as (

    select
        sample_id,
        original_text,
        conflicting_text,
        original_span,
        conflicting_span,
        {{ unnest_list(integer_series(1, 'length(original_text)')) }} as place
    from texts

),

spanned as (

    select distinct sample_id
    from places
    where
        substr(original_text, place, length(original_span)) = original_span
        and substr(original_text, 1, place - 1) || conflicting_span
        || substr(original_text, place + length(original_span)) = conflicting_text

),

known as (

    select
        texts.*,
        original_known.categories as original_categories,
        conflicting_known.categories as conflicting_categories,
        original_known.concept as original_concept,
        conflicting_known.concept as conflicting_concept,
        coalesce(image_known.concept, texts.image_plain) as image_concept,
        coalesce(text_known.concept, texts.text_plain) as text_concept,
        coalesce(distractor_known.concept, texts.distractor_plain) as distractor_concept,
        original_types.change_types as original_types,
        conflicting_types.change_types as conflicting_types,
        spanned.sample_id is not null as is_one_span
    from texts
    left join spanned
        on texts.sample_id = spanned.sample_id
    left join word_types as original_types
        on texts.original_plain = original_types.word
    left join word_types as conflicting_types
        on texts.conflicting_plain = conflicting_types.word
    left join word_categories as original_known
        on
            texts.original_plain = original_known.word
            and texts.change_type = original_known.change_type
    left join word_categories as conflicting_known
        on
            texts.conflicting_plain = conflicting_known.word
            and texts.change_type = conflicting_known.change_type
    left join word_categories as image_known
        on
            texts.image_plain = image_known.word
            and texts.change_type = image_known.change_type
    left join word_categories as text_known
        on
            texts.text_plain = text_known.word
            and texts.change_type = text_known.change_type
    left join word_categories as distractor_known
        on
            texts.distractor_plain = distractor_known.word
            and texts.change_type = distractor_known.change_type

),

-- what the rules and lexicons say; a word that they do not know is given the benefit of doubt
verdicts as (

    select
        known.sample_id,
        case
            when
                {{ list_length(list_intersect(
                    'known.original_categories', 'known.conflicting_categories'
                )) }} > 0
                then {{ list_extract(list_intersect(
                    'known.original_categories', 'known.conflicting_categories'
                ), 1) }}
            when (known.original_categories is null) = (known.conflicting_categories is null)
                then 'other'
            else coalesce(
                {{ list_extract('known.original_categories', 1) }},
                {{ list_extract('known.conflicting_categories', 1) }}
            )
        end as lexicon_category,
        known.original_text like '% ' || known.image_plain || ' %' as has_image_answer,
        known.conflicting_text like '% ' || known.text_plain || ' %' as has_text_answer,
        known.original_text like '%' || known.original_span || '%'
        and known.conflicting_text like '%' || known.conflicting_span || '%' as has_changed_words,
        known.is_one_span,
        known.distractor_plain <> ''
        and known.original_text not like '% ' || known.distractor_plain || ' %'
        and known.conflicting_text not like '% ' || known.distractor_plain || ' %'
            as is_distractor_absent,
        known.image_plain <> known.text_plain
        and known.image_plain <> known.distractor_plain
        and known.text_plain <> known.distractor_plain as are_answers_distinct,
        substr(known.image_plain, 1, {{ var('clash_stem_length') }})
        <> substr(known.text_plain, 1, {{ var('clash_stem_length') }})
        or known.image_plain = known.text_plain as are_stems_distinct,
        known.original_categories is not null or known.conflicting_categories is not null
            as is_known_change,
        -- one word that is known as something else may be read otherwise, two are not
        coalesce(
            {{ list_contains('known.original_types', 'known.change_type') }}
            or {{ list_contains('known.conflicting_types', 'known.change_type') }}, true
        ) as is_of_change_type,
        known.change_type <> 'attribute'
        or not (
            {{ list_contains('forbidden.words', 'known.original_plain') }}
            or {{ list_contains('forbidden.words', 'known.conflicting_plain') }}
        ) as is_objective,
        known.original_concept is null
        or known.conflicting_concept is null
        or known.original_concept <> known.conflicting_concept as is_no_synonym,
        not {{ list_contains('vague.words', 'known.original_plain') }}
        and not {{ list_contains('vague.words', 'known.conflicting_plain') }} as is_unambiguous,
        known.image_concept <> known.text_concept
        and known.image_concept <> known.distractor_concept
        and known.text_concept <> known.distractor_concept as are_answers_no_synonyms,
        not {{ list_contains('vague.words', 'known.image_plain') }}
        and not {{ list_contains('vague.words', 'known.text_plain') }}
        and not {{ list_contains('vague.words', 'known.distractor_plain') }}
            as are_answers_unambiguous,
        known.question like '%?' and {{ list_length('known.question_tokens') }} > 2
            as is_question_clear,
        known.question_text not like '% ' || known.image_plain || ' %'
        and known.question_text not like '% ' || known.text_plain || ' %'
            as is_question_focused,
        not {{ regexp_matches(
            lower_text('known.question'), '^(is|are|does|do|did|was|were|has|have|can) '
        ) }} as is_question_open
    from known
    cross join forbidden
    cross join vague

)

select * from verdicts
