with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'reality_check'
        and reason is null

),

challenges as (

    select * from {{ ref('reality_check__challenges') }}

),

questions as (

    select * from {{ ref('reality_check__questions') }}

),

-- words of any script, vowel signs kept, with a space before, between and behind them
final as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.prediction,
        questions.challenge_id,
        questions.language,
        challenges.pair_id,
        challenges.bias_type,
        challenges.question_role,
        challenges.difficulty,
        challenges.truth_source,
        challenges.answer_format,
        challenges.correct_answer,
        questions.options,
        {{ spaced_signed_words('predictions.prediction') }} as spaced_prediction,
        challenges.distractor_answers,
        predictions.confidence
    from predictions
    inner join questions
        on predictions.example_id = questions.challenge_id || '::' || questions.language
    inner join challenges
        on questions.challenge_id = challenges.challenge_id

)

select * from final
