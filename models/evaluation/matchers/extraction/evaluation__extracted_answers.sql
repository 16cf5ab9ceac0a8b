with
answer_words as (
    select answer_type, phrase, nullif(canonical, '') as canonical, place
    from {{ ref('answer_words') }}
),

negations as (
    select word as phrase, value as answer_type
    from {{ ref('evaluation_vocabulary') }}
    where list_name = 'negations'
),

whole_abstentions as (
    select {{ spaced_phrase('phrase') }} as spaced_phrase
    from {{ vocabulary('evaluation', 'abstention_phrases', word='phrase', value='place') }}
        as abstention_phrases
    where place = 'whole_answer'
),

-- a word that stands for an answer within a text stands for it as the whole text, too
whole_forms as (
    select answer_type, surface as phrase, canonical from {{ ref('answer_forms') }}
    union
    select answer_type, phrase, canonical
    from answer_words
    where canonical is not null
),

whole_answers as (
    select
        scopes.*,
        {{ canonical_answer('scopes.bare_text', 'scopes.answer_type', 'whole_forms.canonical') }}
            as whole_answer,
        whole_abstentions.spaced_phrase is not null as is_whole_abstention
    from {{ ref('evaluation__answer_scopes') }} as scopes
    left join whole_forms
        on scopes.answer_type = whole_forms.answer_type and scopes.bare_text = whole_forms.phrase
    left join whole_abstentions
        on {{ spaced_phrase('scopes.bare_text') }} = whole_abstentions.spaced_phrase
),

-- only what is no answer as a whole is read word by word; a colour may be part of a compound
scope_words as (
    select
        text, answer_type, scope,
        {{ regexp_extract_all(
            "case when answer_type = 'color' then replace(scope_text, '-', ' ') else scope_text end",
            "[0-9]+(?:[.,:/-][0-9]+)*[\\p{L}%]*|\\p{L}+(?:[''-]\\p{L}+)*|[.,;:!?]"
        ) }} as words
    from whole_answers
    where whole_answer is null and not is_whole_abstention
),

placed_words as (
    select *, {{ unnest_list_with_position('words', 'word', 'place') }} from scope_words
),

neighbours as (
    select
        text, answer_type, scope, words, word,
        {{ list_extract('words', 'place + 1') }} as next_word,
        {{ list_extract('words', 'place - 1') }} as former_word, place
    from placed_words
),

-- the longer phrase counts: "no way" is no "no"
candidates as (
    select
        neighbours.text, neighbours.answer_type, neighbours.scope, neighbours.words,
        neighbours.former_word,
        case
            when pairs.phrase is not null then pairs.canonical
            when single_words.phrase is not null then single_words.canonical
            when
                neighbours.answer_type = 'integer'
                and {{ regexp_matches('neighbours.word', '^([0-9]+|[0-9]{1,3}(,[0-9]{3})+)$') }}
                then {{ plain_digits("replace(neighbours.word, ',', '')") }}
        end as canonical,
        coalesce(pairs.place, single_words.place) = 'first' as answers_only_as_first,
        neighbours.place,
        neighbours.place + case when pairs.phrase is null then 1 else 2 end as place_behind
    from neighbours
    left join answer_words as single_words
        on
            neighbours.answer_type = single_words.answer_type
            and neighbours.word = single_words.phrase
    left join answer_words as pairs
        on
            neighbours.answer_type = pairs.answer_type
            and neighbours.word || ' ' || neighbours.next_word = pairs.phrase
    left join answer_words as former_pairs
        on
            neighbours.answer_type = former_pairs.answer_type
            and neighbours.former_word || ' ' || neighbours.word = former_pairs.phrase
    where former_pairs.phrase is null
),

saying_candidates as (
    select
        candidates.*,
        case when articles.word is null then candidates.place else candidates.place - 1 end
            as place_without_article,
        {{ list_extract('candidates.words', 'place_without_article - 1') }} as word_before,
        {{ list_extract('candidates.words', 'place_without_article - 2') }} || ' ' || word_before
            as words_before
    from candidates
    left join {{ vocabulary('evaluation', 'articles') }} as articles
        on candidates.former_word = articles.word
    where candidates.canonical is not null
),

-- a number or a colour answers as the first word where it is a sentence of its own
asserted_candidates as (
    select
        saying_candidates.text, saying_candidates.answer_type, saying_candidates.scope,
        saying_candidates.canonical,
        not coalesce(saying_candidates.answers_only_as_first, false) as answers_anywhere,
        saying_candidates.place = 1
        and (
            saying_candidates.answer_type = 'boolean'
            or {{ list_extract('saying_candidates.words', 'saying_candidates.place_behind') }}
            in ('.', '!', ';', ':')
        ) as answers_as_first
    from saying_candidates
    left join negations
        on
            saying_candidates.answer_type = negations.answer_type
            and saying_candidates.word_before = negations.phrase
    left join negations as negating_pairs
        on
            saying_candidates.answer_type = negating_pairs.answer_type
            and saying_candidates.words_before = negating_pairs.phrase
    where negations.phrase is null and negating_pairs.phrase is null
),

word_answers as (
    select
        text, answer_type, scope,
        max(case when answers_as_first then canonical end) as first_answer,
        min(case when answers_anywhere then canonical end) as an_answer,
        count(distinct case when answers_anywhere then canonical end) as n_answers
    from asserted_candidates
    group by text, answer_type, scope
),

scope_answers as (
    select
        whole_answers.text, whole_answers.answer_type,
        whole_answers.scope = 'behind_marker' as is_behind_marker,
        whole_answers.whole_answer, whole_answers.is_whole_abstention, word_answers.first_answer,
        word_answers.an_answer, coalesce(word_answers.n_answers, 0) as n_answers
    from whole_answers
    left join word_answers using (text, answer_type, scope)
),

-- both scopes of a text side by side; without a marker the first ones are null
both_scopes as (
    select
        of_all.text, of_all.answer_type, marked.text is not null as has_marker,
        coalesce(marked.whole_answer, marked.first_answer) as marked_answer,
        marked.an_answer as answer_behind_marker,
        coalesce(marked.n_answers, 0) as n_answers_behind_marker,
        of_all.whole_answer, of_all.first_answer, of_all.an_answer, of_all.n_answers,
        coalesce(phrases.is_abstention, false)
        or of_all.is_whole_abstention
        or coalesce(marked.is_whole_abstention, false) as is_abstention
    from scope_answers as of_all
    left join scope_answers as marked
        on
            of_all.text = marked.text
            and of_all.answer_type = marked.answer_type
            and marked.is_behind_marker
    left join {{ ref('evaluation__phrases') }} as phrases on of_all.text = phrases.text
    where not of_all.is_behind_marker
),

-- the order of the rules; an abstention wins over a word that merely occurs
decided_answers as (
    select
        *,
        case
            when marked_answer is not null then 'after_marker'
            when not has_marker and whole_answer is not null then 'whole'
            when not has_marker and first_answer is not null then 'first_word'
            when is_abstention then 'none'
            when n_answers_behind_marker = 1 then 'after_marker'
            when n_answers_behind_marker > 1 then 'several'
            when first_answer is not null then 'first_word'
            when n_answers = 1 then 'only_one'
            when n_answers > 1 then 'several'
            else 'none'
        end as extraction
    from both_scopes
)

select
    text, answer_type,
    case extraction
        when 'after_marker' then coalesce(marked_answer, answer_behind_marker)
        when 'whole' then whole_answer
        when 'first_word' then first_answer
        when 'only_one' then an_answer
    end as normalized_answer,
    extraction,
    is_abstention and extraction = 'none' as is_abstained
from decided_answers
