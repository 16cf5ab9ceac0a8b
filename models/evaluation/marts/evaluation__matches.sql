with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),

port_outcomes as (
    {{ union_of_ports('outcomes', with_question_sets=true) | indent }}
),

outcomes as (
    select *, array_contains(slices, 'split=held_back') as is_held_back
    from port_outcomes
)

-- what is held back is scored by itself where one asks for it, and counts nowhere else

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
    case
        when outcomes.is_held_back then {{ list_value("'split=held_back'") }}
        else outcomes.slices
    end as slices,
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
    outcomes.is_rated,
    outcomes.is_held_back
from predictions
inner join outcomes using (benchmark, source_file, file_position)
inner join {{ ref('evaluation__matchers') }} as matchers
    on
        predictions.benchmark = matchers.benchmark
        and predictions.task = matchers.task
        and outcomes.matcher = matchers.matcher
