with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),

outcomes as (
    {{ union_of_ports('outcomes', with_question_sets=true) | indent }}
)

select
    predictions.source_file,
    predictions.benchmark,
    predictions.task,
    predictions.condition,
    predictions.model,
    predictions.run,
    outcomes.matcher,
    matchers.version as matcher_version,
    predictions.example_id,
    predictions.source_image_id,
    predictions.prediction,
    predictions.stated_action,
    outcomes.oracle_action,
    outcomes.extraction,
    outcomes.slices,
    predictions.file_position,
    predictions.image_id,
    outcomes.credit,
    outcomes.confidence,
    outcomes.is_contradiction,
    outcomes.is_image_only,
    outcomes.is_text_only,
    outcomes.is_distractor,
    outcomes.is_none,
    outcomes.is_correct,
    outcomes.was_correct,
    outcomes.is_abstained,
    outcomes.is_yes,
    outcomes.is_gold_yes,
    outcomes.is_gold_abstained,
    outcomes.is_rated
from predictions
inner join outcomes using (benchmark, source_file, file_position)
inner join {{ ref('evaluation__matchers') }} as matchers
    on
        predictions.benchmark = matchers.benchmark
        and predictions.task = matchers.task
        and outcomes.matcher = matchers.matcher
