with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark = 'reality_check' and reason is null
),

-- a control is scored in the split of its challenge
challenges as (
    select
        challenge_id, pair_id, split, bias_type, bias_types_combined, question_role, difficulty,
        truth_source, answer_format, correct_answer, distractor_answers, expected_failure_mode,
        false as is_control
    from {{ ref('reality_check__challenges') }}
    union all
    select
        controls.challenge_id,
        controls.challenge_id as pair_id,
        challenges.split, controls.bias_type, controls.bias_types_combined, controls.question_role,
        controls.difficulty, controls.truth_source, controls.answer_format,
        controls.correct_answer, controls.distractor_answers, controls.expected_failure_mode,
        true as is_control
    from {{ ref('reality_check__controls') }} as controls
    left join {{ ref('reality_check__challenges') }} as challenges
        on controls.control_of = challenges.challenge_id
)

-- words of any script, vowel signs kept, with a space before, between and behind them
select
    predictions.source_file, predictions.file_position, predictions.example_id,
    predictions.prediction, questions.challenge_id, questions.language, challenges.pair_id,
    challenges.split, challenges.bias_type,
    {{ array_join('challenges.bias_types_combined', "'+'") }} as combination,
    challenges.question_role, challenges.difficulty, challenges.truth_source,
    challenges.answer_format, challenges.correct_answer, questions.options,
    {{ spaced_signed_words('predictions.prediction') }} as spaced_prediction,
    challenges.distractor_answers, challenges.expected_failure_mode, predictions.confidence,
    challenges.is_control
from predictions
inner join {{ ref('reality_check__record_questions') }} as questions
    on predictions.example_id = questions.challenge_id || '::' || questions.language
inner join challenges using (challenge_id)
