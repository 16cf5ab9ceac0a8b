with
edits as (select * from {{ ref('conflict_suite_refined__edits') }}),

edited_texts as (
    select edit_id as text_id, question, edited_caption as text
    from edits
    where edited_caption is not null
),

-- what every text says of its question (A2b)
readings as (
    {{ text_readings('edited_texts') }}
),

-- the answers that a text's words may give: that of the asked noun, or, where none is clear there,
-- whatever the text names of the kind; and whether it leaves the question open
answers as (
    select
        edits.*,
        readings.answer as said_answer,
        readings.answer_gap,
        case edits.answer_type
            when 'boolean'
                then {{ list_value(
                    "case when readings.is_asserted then 'yes' end",
                    "case when readings.is_denied then 'no' end"
                ) }}
            when 'color'
                then
                    case
                        when readings.answer is not null then {{ list_value('readings.answer') }}
                        else readings.named_colors
                    end
            else
                case
                    when readings.answer is not null then {{ list_value('readings.answer') }}
                    else readings.named_numbers
                end
        end as possible_answers,
        -- a thing that is named in passing only is neither there nor open
        case
            when edits.answer_type = 'boolean' then coalesce(readings.n_mentions, 0) = 0
            when edits.answer_type = 'color'
                then {{ list_length('readings.named_colors') }} = 0
            else
                readings.answer is null
                and {{ list_length('readings.named_numbers') }} = 0
        end as is_open
    from edits
    left join readings on edits.edit_id = readings.text_id
),

fits as (
    select
        *,
        coalesce(array_contains(possible_answers, gold_answer), false) as fits_clean,
        coalesce(
            {{ list_length(
                list_filter('possible_answers', 'answer', 'answer <> gold_answer')
            ) }} > 0, false
        ) as fits_different,
        coalesce(is_open, false) as fits_irrelevant
    from answers
)

select
    edit_id, candidate_id, base_id, mix_state, family, answer_type, gold_answer, caption,
    text_source, editor, edit_kind, edited_from, edited_to, edited_caption, response_reason,
    said_answer, answer_gap, possible_answers,
    {{ list_value(
        "case when fits_clean then 'clean' end",
        "case when fits_different then 'different' end",
        "case when fits_irrelevant then 'irrelevant' end"
    ) }} as fitting_states,
    -- what fits one state, and says so where its noun stands, is in it
    case
        when fits_clean and not fits_different and said_answer = gold_answer then 'clean'
        when fits_different and not fits_clean and said_answer <> gold_answer then 'different'
        when fits_irrelevant and not fits_clean and not fits_different then 'irrelevant'
    end as text_state,
    preference
from fits
