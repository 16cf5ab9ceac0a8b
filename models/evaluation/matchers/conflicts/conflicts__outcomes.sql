with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),

matchers as (
    select distinct benchmark, task, matcher from {{ ref('evaluation__matchers') }}
),

answers as (
    select
        predictions.source_file, predictions.file_position, predictions.task,
        predictions.prediction, predictions.stated_action, predictions.confidence,
        examples.benchmark, examples.example_id, examples.base_id, examples.paired_example_id,
        examples.operator, examples.severity,
        cast(examples.severity as string) as severity_text,
        examples.oracle_action,
        examples.text_state || ' text, ' || examples.image_state || ' image'
            as protocol_category,
        examples.is_abstention_right, examples.answer_type, examples.gold_answer,
        examples.operator in ('clean', 'vision_corrupt') as is_on_severity_ladder,
        examples.split, examples.family,
        {{ normalized_text('predictions.prediction') }} as answer
    from predictions
    inner join {{ ref('conflicts__examples') }} as examples using (benchmark, example_id)
),

-- the whole answer, normalised by its family as a gold answer is
exact_answers as (
    select
        answers.*,
        'exact' as matcher,
        {{ canonical_answer('answers.answer', 'answers.answer_type', 'answer_forms.canonical') }}
            as normalized_answer,
        cast(null as string) as extraction,
        coalesce(phrases.is_abstention, false) as is_abstained
    from answers
    left join {{ ref('answer_forms') }} as answer_forms
        on
            answers.answer_type = answer_forms.answer_type
            and answers.answer = answer_forms.surface
    left join {{ ref('evaluation__phrases') }} as phrases on answers.prediction = phrases.text
),

-- what the answer says in whatever words; an answer that is null says nothing
answers_in_words as (
    select
        answers.*,
        'extracted' as matcher, extracted_answers.normalized_answer,
        coalesce(extracted_answers.extraction, 'none') as extraction,
        coalesce(extracted_answers.is_abstained, false) as is_abstained
    from answers
    left join {{ ref('evaluation__extracted_answers') }} as extracted_answers
        on
            answers.answer_type = extracted_answers.answer_type
            and answers.prediction = extracted_answers.text
),

matched_answers as (
    select * from exact_answers
    union all
    select * from answers_in_words
),

checked_answers as (
    select
        matched_answers.*,
        not matched_answers.is_abstained
        and coalesce(matched_answers.normalized_answer = matched_answers.gold_answer, false)
            as is_correct
    from matched_answers
    inner join matchers using (benchmark, task, matcher)
),

-- the clean picture and its corruptions, from mild to severe
severity_ladders as (
    select
        source_file, file_position, matcher,
        lag(is_correct) over (
            partition by source_file, matcher, base_id
            order by severity, example_id
        ) as was_correct
    from checked_answers
    where is_on_severity_ladder
),

-- without an oracle action there is no right move, and nothing to succeed at
judged_answers as (
    select
        *,
        case
            when oracle_action is null then null
            when is_abstention_right then is_abstained
            else is_correct
        end as is_success
    from checked_answers
),

-- an occlusion of the objects and one of as many pixels elsewhere: both must be answered rightly.
-- A pair counts once, at the answer to the one whose id comes first
answered_pairs as (
    select
        first_answers.source_file, first_answers.file_position, first_answers.matcher,
        bool_and(first_answers.is_success and second_answers.is_success) as is_pair_success
    from judged_answers as first_answers
    inner join judged_answers as second_answers
        on
            first_answers.source_file = second_answers.source_file
            and first_answers.matcher = second_answers.matcher
            and first_answers.paired_example_id = second_answers.example_id
    where first_answers.example_id < second_answers.example_id
    group by
        first_answers.source_file,
        first_answers.file_position,
        first_answers.matcher
)

select
    judged_answers.benchmark, judged_answers.source_file, judged_answers.file_position,
    judged_answers.matcher, judged_answers.example_id,
    {{ list_value(
        "'split=' || judged_answers.split",
        "'family=' || judged_answers.family",
        "'operator=' || judged_answers.operator",
        "'severity=' || judged_answers.severity_text",
        "case when judged_answers.is_on_severity_ladder then 'picture_severity=' || judged_answers.severity_text end",
        "'oracle_action=' || judged_answers.oracle_action",
        "'protocol_category=' || judged_answers.protocol_category"
    ) }} as slices,
    cast(judged_answers.is_success as double) as credit,
    judged_answers.confidence, judged_answers.oracle_action, judged_answers.is_correct,
    severity_ladders.was_correct, judged_answers.is_abstained, judged_answers.extraction,
    {{ other_outcomes(
        'oracle_action', 'is_correct', 'was_correct', 'is_abstained', 'extraction'
    ) }},
    judged_answers.normalized_answer, judged_answers.stated_action, answered_pairs.is_pair_success
from judged_answers
left join severity_ladders using (source_file, file_position, matcher)
left join answered_pairs using (source_file, file_position, matcher)
