with

answers as (

    select * from {{ ref('evaluation__reality_check_answers') }}

),

yes_no as (

    select * from {{ ref('evaluation__reality_check_yes_no') }}

),

letters as (

    select * from {{ ref('evaluation__reality_check_letters') }}

),

names as (

    select * from {{ ref('evaluation__reality_check_names') }}

),

read_answers as (

    select
        answers.*,
        coalesce(yes_no.answer, letters.answer, names.answer) as answer
    from answers
    left join yes_no
        on
            answers.answer_format = 'yes_no'
            and answers.language = yes_no.language
            and answers.spaced_prediction = yes_no.spaced_prediction
    left join letters
        on
            answers.answer_format = letters.answer_format
            and answers.prediction = letters.prediction
            and coalesce(answers.options, '') = letters.options
    left join names
        on
            answers.answer_format = 'label'
            and answers.language = names.language
            and answers.correct_answer = names.correct_answer
            and answers.distractor_answers = names.distractor_answers
            and answers.spaced_prediction = names.spaced_prediction

),

final as (

    select
        source_file,
        file_position,
        example_id,
        pair_id,
        language,
        bias_type,
        combination,
        question_role,
        difficulty,
        truth_source,
        answer_format,
        correct_answer,
        answer,
        -- which half of a compound is right stands in the key of the option that was chosen
        case answer
            when 'A' then {{ json_extract_string('options', '$[0].key') }}
            when 'B' then {{ json_extract_string('options', '$[1].key') }}
            when 'C' then {{ json_extract_string('options', '$[2].key') }}
            when 'D' then {{ json_extract_string('options', '$[3].key') }}
        end as option_key,
        case answer
            when {{ json_extract_string('expected_failure_mode', '$[0].letter') }}
                then {{ json_extract_string('expected_failure_mode', '$[0].bias_type') }}
            when {{ json_extract_string('expected_failure_mode', '$[1].letter') }}
                then {{ json_extract_string('expected_failure_mode', '$[1].bias_type') }}
        end as failure_mode,
        confidence,
        is_control
    from read_answers

)

select * from final
