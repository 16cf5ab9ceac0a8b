with

candidates as (

    select * from {{ ref('clash__candidates') }}

),

evidence as (

    select * from {{ ref('clash__evidence') }}

),

-- the first failing stage wins
staged as (

    select
        candidates.*,
        evidence.lexicon_category,
        evidence.has_image_answer,
        evidence.has_text_answer,
        evidence.has_changed_words,
        evidence.is_one_span,
        evidence.is_distractor_absent,
        evidence.are_answers_distinct,
        evidence.are_stems_distinct,
        evidence.is_known_change,
        evidence.is_objective,
        evidence.is_no_synonym,
        evidence.is_unambiguous,
        evidence.are_answers_no_synonyms,
        evidence.are_answers_unambiguous,
        evidence.is_question_clear,
        evidence.is_question_focused,
        evidence.is_question_open,
        case
            when
                not (
                    evidence.has_image_answer and evidence.has_text_answer
                    and evidence.has_changed_words and evidence.is_one_span
                    and evidence.is_distractor_absent and evidence.are_answers_distinct
                    and evidence.are_stems_distinct
                ) then 'rule_check'
            when
                not (
                    evidence.is_objective and evidence.is_no_synonym and evidence.is_unambiguous
                ) then 'change_check'
            when not (evidence.are_answers_no_synonyms and evidence.are_answers_unambiguous)
                then 'answers_check'
            when
                not (
                    evidence.is_question_clear and evidence.is_question_focused
                    and evidence.is_question_open
                ) then 'question_check'
        end as drop_stage
    from candidates
    inner join evidence
        on candidates.sample_id = evidence.sample_id

),

drop_reasons as (

    select * from {{ ref('drop_reasons') }}
    where benchmark = 'clash'

)

select
    staged.sample_id,
    staged.origin,
    staged.image_id,
    staged.source_image_id,
    staged.original_caption,
    staged.conflicting_caption,
    staged.question,
    staged.change_type,
    staged.image_only_answer,
    staged.text_only_answer,
    staged.distractor_answer,
    staged.original_words,
    staged.conflicting_words,
    staged.categories,
    {{ list_at('staged.categories', 1) }} as category,
    staged.lexicon_category,
    staged.drop_stage,
    drop_reasons.reason as drop_reason,
    staged.has_image_answer,
    staged.has_text_answer,
    staged.has_changed_words,
    staged.is_one_span,
    staged.is_distractor_absent,
    staged.are_answers_distinct,
    staged.are_stems_distinct,
    staged.is_known_change,
    staged.is_objective,
    staged.is_no_synonym,
    staged.is_unambiguous,
    staged.are_answers_no_synonyms,
    staged.are_answers_unambiguous,
    staged.is_question_clear,
    staged.is_question_focused,
    staged.is_question_open,
    staged.drop_stage is null as is_retained
from staged
left join drop_reasons
    on staged.drop_stage = drop_reasons.stage
