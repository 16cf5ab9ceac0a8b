with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where reason is null

),

examples as (

    select * from {{ ref('evaluation__conflict_examples') }}

),

phrases as (

    select * from {{ ref('evaluation__phrases') }}

),

answer_forms as (

    select * from {{ ref('answer_forms') }}

),

answers as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.stated_action,
        predictions.confidence,
        examples.benchmark,
        examples.example_id,
        examples.base_id,
        examples.operator,
        examples.severity,
        cast(examples.severity as {{ dbt.type_string() }}) as severity_text,
        examples.oracle_action,
        examples.text_state || ' text, ' || examples.image_state || ' image'
            as protocol_category,
        examples.text_state = 'clean' and examples.image_state = 'clean' as is_all_clean,
        examples.answer_type,
        examples.gold_answer,
        examples.operator in ('clean', 'vision_corrupt') as is_on_severity_ladder,
        examples.split,
        examples.family,
        {{ normalized_text('predictions.prediction') }} as answer,
        coalesce(phrases.is_abstention, false) as is_abstained
    from predictions
    inner join examples
        on
            predictions.benchmark = examples.benchmark
            and predictions.example_id = examples.example_id
    left join phrases
        on predictions.prediction = phrases.text

),

-- an answer is normalised by its family as a gold answer is
normalized_answers as (

    select
        answers.*,
        {{ canonical_answer('answers.answer', 'answers.answer_type', 'answer_forms.canonical') }}
            as normalized_answer
    from answers
    left join answer_forms
        on
            answers.answer_type = answer_forms.answer_type
            and answers.answer = answer_forms.surface

),

checked_answers as (

    select
        *,
        not is_abstained and coalesce(normalized_answer = gold_answer, false) as is_correct
    from normalized_answers

),

-- the clean picture and its corruptions, from mild to severe
severity_ladders as (

    select
        source_file,
        file_position,
        lag(is_correct) over (
            partition by source_file, base_id
            order by severity, example_id
        ) as was_correct
    from checked_answers
    where is_on_severity_ladder

),

final as (

    select
        checked_answers.benchmark,
        checked_answers.source_file,
        checked_answers.file_position,
        checked_answers.example_id,
        {{ list_value(
            "'split=' || checked_answers.split",
            "'family=' || checked_answers.family",
            "'operator=' || checked_answers.operator",
            "'severity=' || checked_answers.severity_text",
            "case when checked_answers.is_on_severity_ladder then 'picture_severity=' || checked_answers.severity_text end",
            "'oracle_action=' || checked_answers.oracle_action",
            "'protocol_category=' || checked_answers.protocol_category"
        ) }} as slices,
        checked_answers.normalized_answer,
        checked_answers.stated_action,
        checked_answers.oracle_action,
        checked_answers.confidence,
        checked_answers.is_abstained,
        checked_answers.is_correct,
        severity_ladders.was_correct,
        -- without an oracle action there is no right move, and nothing to succeed at
        case
            when checked_answers.oracle_action in ('trust_vision', 'trust_text')
                then checked_answers.is_correct
            when checked_answers.oracle_action = 'abstain' then checked_answers.is_abstained
            when checked_answers.oracle_action is null then null
            when checked_answers.is_all_clean then checked_answers.is_correct
            else checked_answers.is_correct or checked_answers.is_abstained
        end as is_success
    from checked_answers
    left join severity_ladders
        on
            checked_answers.source_file = severity_ladders.source_file
            and checked_answers.file_position = severity_ladders.file_position

)

select * from final
