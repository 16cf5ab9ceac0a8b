with
yes_no as (select * from {{ ref('evaluation__reality_check_yes_no') }}),

read_answers as (
    select answers.*, coalesce(yes_no.answer, letters.answer, names.answer) as answer
    from {{ ref('evaluation__reality_check_answers') }} as answers
    left join yes_no
        on
            answers.answer_format = 'yes_no'
            and answers.language = yes_no.language
            and answers.spaced_prediction = yes_no.spaced_prediction
    left join {{ ref('evaluation__reality_check_letters') }} as letters
        on
            answers.answer_format = letters.answer_format
            and answers.prediction = letters.prediction
            and coalesce(answers.options, '') = letters.options
    left join {{ ref('evaluation__reality_check_names') }} as names
        on
            answers.answer_format = 'label'
            and answers.language = names.language
            and answers.correct_answer = names.correct_answer
            and answers.distractor_answers = names.distractor_answers
            and answers.spaced_prediction = names.spaced_prediction
),

chosen_options as (
    select
        source_file, file_position, example_id, pair_id, split, language, bias_type, combination,
        question_role, difficulty, truth_source, answer_format, correct_answer, answer,
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
        confidence, is_control
    from read_answers
),

sliced_answers as (
    select
        *,
        case
            when bias_type = 'compound' then {{ list_value("'combination=' || combination") }}
            else {{ empty_list('string') }}
        end as compound_slices
    from chosen_options
)

select
    source_file, file_position, 'by_format' as matcher, example_id,
    {{ list_concat(
        list_value(
            "'split=' || split",
            "'bias_type=' || bias_type",
            "'question_role=' || question_role",
            "'difficulty=' || difficulty",
            "'language=' || language",
            "'truth_source=' || truth_source",
            "'answer_format=' || answer_format",
        ),
        'compound_slices',
    ) }} as slices,
    -- controls have metrics of their own and count in no other
    case when not is_control then {{ one_if('answer = correct_answer') }} end as credit,
    confidence,
    coalesce(answer = correct_answer, false) as is_correct,
    coalesce(answer <> correct_answer, false) as is_distractor,
    answer is null as is_none,
    case when answer_format = 'yes_no' then answer = 'Yes' end as is_yes,
    case when answer_format = 'yes_no' then correct_answer = 'Yes' end as is_gold_yes,
    {{ other_outcomes('is_correct', 'is_distractor', 'is_none', 'is_yes', 'is_gold_yes') }},
    pair_id, language, bias_type, combination, answer, option_key, failure_mode, is_control
from sliced_answers
