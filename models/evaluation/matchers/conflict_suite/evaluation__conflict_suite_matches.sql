with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'conflict_suite'
        and reason is null

),

examples as (

    select * from {{ ref('conflict_suite__examples') }}

),

phrases as (

    select * from {{ ref('evaluation__phrases') }}

),

boolean_answers as (

    select * from {{ ref('boolean_answers') }}

),

number_words as (

    select * from {{ ref('number_words') }}

),

colors as (

    select * from {{ ref('colors') }}

),

answered as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.stated_action,
        examples.example_id,
        examples.base_id,
        examples.operator,
        examples.severity,
        examples.oracle_action,
        examples.text_state,
        examples.image_state,
        examples.answer_type,
        examples.gold_answer,
        {{ list_value(
            "'split=' || examples.split",
            "'family=' || examples.family",
            "'operator=' || examples.operator",
            "'severity=' || cast(examples.severity as " ~ dbt.type_string() ~ ")",
            "case when examples.operator in ('clean', 'vision_corrupt') then 'picture_severity='"
            ~ " || cast(examples.severity as " ~ dbt.type_string() ~ ") end",
            "'oracle_action=' || examples.oracle_action",
            "'protocol_category=' || examples.text_state || ' text, ' || examples.image_state"
            ~ " || ' image'"
        ) }} as slices,
        {{ normalized_text('predictions.prediction') }} as answer,
        coalesce(phrases.is_abstention, false) as is_abstained
    from predictions
    inner join examples
        on predictions.example_id = examples.example_id
    left join phrases
        on predictions.prediction = phrases.text

),

-- an answer is normalised by its family as a gold answer is
normalized as (

    select
        answered.*,
        case answered.answer_type
            when 'boolean' then boolean_answers.gold_answer
            when 'color' then colors.color
            when 'integer' then {{ number_said('answered.answer', 'number_words.value') }}
        end as normalized_answer
    from answered
    left join boolean_answers
        on answered.answer = boolean_answers.answer
    left join number_words
        on answered.answer = number_words.word
    left join colors
        on answered.answer = colors.color

),

judged as (

    select
        *,
        not is_abstained and coalesce(normalized_answer = gold_answer, false) as is_correct
    from normalized

),

-- the clean picture and its corruptions, from mild to severe
ladder as (

    select
        source_file,
        file_position,
        lag(is_correct) over (
            partition by source_file, base_id
            order by severity, example_id
        ) as was_correct
    from judged
    where operator in ('clean', 'vision_corrupt')

),

final as (

    select
        judged.source_file,
        judged.file_position,
        judged.slices,
        judged.normalized_answer,
        judged.stated_action,
        judged.oracle_action,
        judged.is_abstained,
        judged.is_correct,
        ladder.was_correct,
        case
            when judged.oracle_action in ('trust_vision', 'trust_text') then judged.is_correct
            when judged.oracle_action = 'abstain' then judged.is_abstained
            when
                judged.text_state = 'clean' and judged.image_state = 'clean'
                then judged.is_correct
            else judged.is_correct or judged.is_abstained
        end as is_success
    from judged
    left join ladder
        on
            judged.source_file = ladder.source_file
            and judged.file_position = ladder.file_position

)

select * from final
