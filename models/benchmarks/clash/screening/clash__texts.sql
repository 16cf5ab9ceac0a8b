with
-- a request that made no sample has no texts
tokenized_samples as (
    select
        sample_id, change_type,
        {{ plain_words('original_words') }} as original_plain,
        {{ plain_words('conflicting_words') }} as conflicting_plain,
        {{ plain_answer("coalesce(image_only_answer, '')") }} as image_only_plain,
        {{ plain_answer("coalesce(text_only_answer, '')") }} as text_only_plain,
        {{ plain_answer("coalesce(distractor_answer, '')") }} as distractor_plain,
        {{ tokens_without_articles('original_caption') }} as original_tokens,
        {{ tokens_without_articles('conflicting_caption') }} as conflicting_tokens,
        {{ tokens_without_articles('original_words') }} as original_word_tokens,
        {{ tokens_without_articles('conflicting_words') }} as conflicting_word_tokens,
        {{ tokens('question') }} as question_tokens,
        question like '%?' as has_question_mark,
        response_reason is null as is_answered
    from {{ ref('clash__candidates') }}
    where question is not null
)

-- a space at either end of each text, so that `like '% word %'` finds whole words only
select
    sample_id, change_type, original_plain, conflicting_plain, image_only_plain, text_only_plain,
    distractor_plain,
    ' ' || {{ array_join('original_tokens', "' '") }} || ' ' as original_text,
    ' ' || {{ array_join('conflicting_tokens', "' '") }} || ' ' as conflicting_text,
    ' ' || {{ array_join('original_word_tokens', "' '") }} || ' ' as original_span,
    ' ' || {{ array_join('conflicting_word_tokens', "' '") }} || ' ' as conflicting_span,
    ' ' || {{ array_join('question_tokens', "' '") }} || ' ' as question_text,
    {{ list_extract('question_tokens', 1) }} as question_opening,
    {{ list_length('question_tokens') }} as n_question_tokens,
    has_question_mark, is_answered
from tokenized_samples
