select
    edit_id as candidate_id,
    answer_gap as clean_text_detail,
    answer_gap as answerable_detail,
    -- the request to the language model has a response
    coalesce(response_reason <> 'response_missing', true) as passes_response,
    -- the language model did as it was asked
    coalesce(response_reason <> 'response_refused', true) as passes_refusal,
    -- the response fits the schema of its task
    coalesce(response_reason <> 'response_invalid', true) as passes_validity,
    -- the editor has a text for the state
    case when response_reason is null then edited_caption is not null end as passes_edit,
    -- an edited caption differs from the caption by more than spaces at its ends
    case
        when text_source = 'refined_edit' then trim(edited_caption) <> trim(caption)
    end as passes_unchanged,
    -- the text fits one state at most; a text that fits none fails by what it was to be
    case
        when edited_caption is not null then {{ list_length('fitting_states') }} < 2
    end as passes_clarity,
    -- A clean text says the gold answer in words. No caption says that a thing is absent by not
    -- naming it.
    case
        when mix_state = 'clean' and edited_caption is not null
            then coalesce(text_state = 'clean', false)
    end as passes_clean_text,
    -- a text that is to be different no longer says the gold answer
    case
        when mix_state = 'different' and edited_caption is not null
            then coalesce(text_state <> 'clean', true)
    end as passes_gold_support,
    -- a text that is to be different gives another answer where its noun stands
    case
        when mix_state = 'different' and edited_caption is not null
            then coalesce(text_state = 'different', false)
    end as passes_answerable,
    -- a text that is to be irrelevant leaves the question open
    case
        when mix_state = 'irrelevant' and edited_caption is not null
            then coalesce(text_state = 'irrelevant', false)
    end as passes_other_answers
from {{ ref('conflict_suite_refined__text_states') }}
