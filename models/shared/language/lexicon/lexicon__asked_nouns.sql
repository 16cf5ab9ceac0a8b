with
questions as (
    select distinct question
    from {{ ref('stg_vqa__questions') }}
    where question is not null
),

question_frames as (select * from {{ ref('question_frames') }}),

-- letters and digits alone, so that frames are compared word by word
spaced_questions as (
    select
        question,
        {{ array_join(
            regexp_extract_all(lower_text('question'), '[\\p{L}\\p{N}]+(?:-[\\p{L}\\p{N}]+)*(?:[\\x27\\x{2019}][\\p{L}]*)?'),
            "' '"
        ) }} as spaced_question
    from questions
),

-- the longest opening counts
opened_questions as (
    select
        spaced_questions.question,
        {{ min_by('question_frames.family', '-length(question_frames.words)') }} as family,
        {{ min_by('question_frames.is_presence', '-length(question_frames.words)') }}
            as is_presence,
        max(length(question_frames.words)) as opening_length,
        max(spaced_questions.spaced_question) as spaced_question
    from spaced_questions
    inner join question_frames
        on
            question_frames.place = 'opening'
            and spaced_questions.spaced_question like question_frames.words || ' %'
    group by spaced_questions.question
),

asked_texts as (
    select question, family, is_presence, substr(spaced_question, opening_length + 2) as asked_text
    from opened_questions
),

-- the longest ending that says no more than that the picture is meant
ended_questions as (
    select asked_texts.question, max(length(question_frames.words)) as ending_length
    from asked_texts
    inner join question_frames
        on
            question_frames.place = 'ending'
            and asked_texts.asked_text like '% ' || question_frames.words
    group by asked_texts.question
),

framed_questions as (
    select
        asked_texts.question as text_id,
        asked_texts.family, asked_texts.is_presence,
        ended_questions.ending_length is not null as has_ending,
        case
            when ended_questions.ending_length is null then asked_texts.asked_text
            else
                left(
                    asked_texts.asked_text,
                    cast(
                        length(asked_texts.asked_text) - ended_questions.ending_length - 1 as int
                    )
                )
        end as text
    from asked_texts
    left join ended_questions using (question)
),

question_words as (
    {{ phrase_words('framed_questions') }}
),

-- the first noun phrase is what is asked for; what follows it restricts it
head_positions as (
    select
        text_id,
        min(position) as phrase_start,
        max(position) as phrase_end,
        max(case when is_head_class then position end) as head_position,
        {{ min_by('is_compound_end', 'case when is_head_class then -position end') }}
            as is_compound
    from question_words
    where phrase = 1
    group by text_id
),

asked_words as (
    select
        question_words.text_id, question_words.position, question_words.word, question_words.noun,
        question_words.number_said, question_words.word_class, head_positions.phrase_start,
        head_positions.head_position,
        question_words.position <= head_positions.phrase_end as is_in_phrase,
        -- the first word of a compound is part of its noun
        question_words.position
        < head_positions.head_position - case when head_positions.is_compound then 1 else 0 end
        and question_words.word_class
        in ('word', 'noun', 'imitation', 'color', 'adjective', 'participle') as is_modifier,
        question_words.position > head_positions.phrase_end
        and question_words.word_class
        not in ('article', 'determiner', 'copula', 'existential', 'punctuation') as is_restriction
    from question_words
    inner join head_positions using (text_id)
),

asked_phrases as (
    select
        text_id,
        max(phrase_start) as phrase_start,
        max(case when position = head_position then noun end) as asked_noun,
        max(case when position = head_position then word_class end) as asked_class,
        max(case when word_class = 'possessive' and is_in_phrase then noun end) as possessor,
        max(case when is_in_phrase then number_said end) as asked_number,
        bool_or(
            is_in_phrase and word_class in ('distributive', 'owner', 'quantifier')
        ) as is_selective,
        {{ array_agg('case when is_modifier then noun end', order_by='position') }}
            as modifiers,
        {{ array_agg('case when is_restriction then noun end', order_by='position') }}
            as restriction_words,
        {{ min_by(
            'word_class', 'case when is_restriction then position end'
        ) }} as restriction_class
    from asked_words
    group by text_id
),

restricted_phrases as (
    select *, coalesce({{ array_join('restriction_words', "' '") }}, '') as restriction
    from asked_phrases
),

-- "the man's shirt" and "the shirt that the man is wearing" ask for the same
owned_phrases as (
    select
        *,
        coalesce(
            possessor,
            case
                when {{ regexp_matches('restriction', '^[^ ]+ (wearing|wear)$') }}
                    then {{ regexp_replace('restriction', ' .*$', '') }}
            end
        ) as asked_owner
    from restricted_phrases
)

select
    framed_questions.text_id as question,
    framed_questions.family, owned_phrases.asked_noun,
    {{ list_filter('owned_phrases.modifiers', 'modifier', 'modifier is not null') }}
        as asked_modifiers,
    owned_phrases.asked_owner,
    case
        when owned_phrases.asked_owner is null or owned_phrases.possessor is not null
            then nullif(owned_phrases.restriction, '')
    end as asked_restriction,
    case
        when
            framed_questions.family = 'existence'
            and not coalesce(framed_questions.is_presence, false)
            and not coalesce(
                framed_questions.has_ending and owned_phrases.restriction = '', false
            )
            then 'not_a_presence_question'
        when
            owned_phrases.asked_noun is null
            or owned_phrases.phrase_start > 1
            or (
                framed_questions.family = 'attribute_color'
                and owned_phrases.asked_class = 'color'
            )
            then 'no_asked_noun'
        -- "what color is the man wearing" does not ask for the man's colour
        when
            framed_questions.family = 'attribute_color'
            and owned_phrases.asked_owner is null
            and owned_phrases.restriction_class in ('verb', 'participle')
            then 'no_asked_noun'
        when owned_phrases.asked_number is not null or owned_phrases.is_selective
            then 'asks_for_some_of_them'
    end as question_gap
from framed_questions
left join owned_phrases using (text_id)
