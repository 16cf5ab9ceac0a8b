with
rule_edits as (select * from {{ ref('conflict_suite_refined__rule_edits') }}),
base_states as (select * from {{ ref('conflict_suite_refined__base_states') }}),

editors as (
    select * from {{ ref('editor_policies') }}
    where policy = {{ text_literal(var('editor_policy')) }}
),

-- a text without an editor is the caption; whoever edits, rules put the denial behind it; a base
-- that was never sent to a language model has no answer
competing_edits as (
    select
        base_states.*,
        'none' as editor, cast(null as string) as edit_kind, cast(null as string) as edited_from,
        cast(null as string) as edited_to,
        base_states.caption as edited_caption,
        cast(null as string) as response_reason, 1 as preference
    from base_states
    where base_states.text_source = 'caption'
    union all
    select
        base_states.*,
        'rules' as editor, rule_edits.edit_kind, rule_edits.edited_from, rule_edits.edited_to,
        rule_edits.edited_caption, cast(null as string) as response_reason, 1 as preference
    from base_states
    left join rule_edits
        on
            base_states.base_id = rule_edits.base_id
            and base_states.mix_state = rule_edits.mix_state
    where base_states.text_source = 'denial'
    union all
    select
        base_states.*,
        editors.editor, rule_edits.edit_kind, rule_edits.edited_from, rule_edits.edited_to,
        rule_edits.edited_caption, cast(null as string) as response_reason, editors.preference
    from base_states
    inner join editors on editors.editor = 'rules'
    left join rule_edits
        on
            base_states.base_id = rule_edits.base_id
            and base_states.mix_state = rule_edits.mix_state
    where base_states.text_source = 'refined_edit'
    union all
    select
        base_states.*,
        editors.editor, llm_edits.edit_kind, llm_edits.edited_from, llm_edits.edited_to,
        llm_edits.edited_caption,
        case
            when llm_edits.base_id is null then 'response_missing'
            else llm_edits.response_reason
        end as response_reason,
        editors.preference
    from base_states
    inner join editors on editors.editor = 'llm'
    left join {{ ref('conflict_suite_refined__llm_edits') }} as llm_edits
        on
            base_states.base_id = llm_edits.base_id
            and base_states.mix_state = llm_edits.mix_state
    where base_states.text_source = 'refined_edit'
),

edits as (
    select candidate_id || '::' || editor as edit_id, *
    from competing_edits
),

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
