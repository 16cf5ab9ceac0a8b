{%- set slot = '[{][^{}]*[}]' -%}
{%- set latin_word = '[A-Za-zÀ-ɏ]+' -%}
{%- set is_answer_letter = "word in ('A', 'B', 'C', 'D')" -%}
with
texts as (select * from {{ ref('reality_check__template_texts') }}),

-- each of Yes and No, where the question may be answered so, in the word of the language
lost_answer_words as (
    select
        texts.candidate_id,
        {{ array_agg('answer_words.word', order_by='answer_words.answer') }} as words
    from texts
    inner join {{ ref('reality_check_answer_words') }} as answer_words using (language)
    where
        ' ' || texts.valid_answers || ' ' like '% ' || answer_words.answer || ' %'
        and not contains(lower(texts.text), lower(answer_words.word))
    group by texts.candidate_id
),

marks as (
    select
        texts.candidate_id,
        {{ regexp_extract_all('texts.text', slot) }} as slots,
        {{ regexp_extract_all('texts.text_en', slot) }} as english_slots,
        {{ list_sort_distinct(list_filter(
            regexp_extract_all('texts.text', latin_word), 'word', is_answer_letter
        )) }} as letters,
        {{ list_sort_distinct(list_filter(
            regexp_extract_all('texts.text_en', latin_word), 'word', is_answer_letter
        )) }} as english_letters,
        {{ array_join('lost_answer_words.words', "', '") }} as lost_words,
        -- any spelling that a translator gives the mask of a slot, full-width brackets included
        {{ regexp_matches('upper(texts.text)', '(\\[|［|【)[ ]*SLOT') }} as has_mask,
        gs_script_share(texts.text, texts.script) as script_share
    from texts
    left join lost_answer_words using (candidate_id)
    where texts.text is not null
),

losses as (
    select
        candidate_id, script_share,
        case
            when has_mask then 'a mask of a slot was left'
            when
                {{ list_length('slots') }} <> {{ list_length('english_slots') }}
                or {{ list_sort_distinct('slots') }} <> {{ list_sort_distinct('english_slots') }}
                then
                    'its slots are '
                    || coalesce(nullif({{ array_join('slots', "', '") }}, ''), 'none')
            when letters <> english_letters
                then
                    'its letters are '
                    || coalesce(nullif({{ array_join('letters', "', '") }}, ''), 'none')
            when lost_words <> '' then 'it lacks ' || lost_words
        end as lost_marks
    from marks
)

-- a text that is missing fails the first stage alone
select
    texts.candidate_id,
    -- the translator gave a text
    texts.text is not null and trim(texts.text) <> '' as passes_translation,
    texts.error as translation_detail,
    -- the slots are those of the English text, no mask of one was left, and the letters and
    -- words to answer with are there
    losses.lost_marks is null as passes_slots,
    losses.lost_marks as slots_detail,
    -- the text is long enough for a question
    length(texts.text) >= {{ rc_threshold('least_question_length') }} as passes_length,
    -- enough letters, and one at least, are of the script of the language
    losses.script_share > 0
    and losses.script_share >= {{ rc_threshold('script_share') }} as passes_script,
    -- the text is not the English one
    texts.language = 'en' or texts.text <> texts.text_en as passes_change
from texts
left join losses using (candidate_id)
