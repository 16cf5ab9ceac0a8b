with
compared_answers as (
    select
        predictions.source_file, predictions.file_position, predictions.example_id,
        predictions.confidence, examples.operator, examples.split,
        {{ normalized_text('predictions.prediction') }} = examples.target as is_correct,
        {{ normalized_text('predictions.prediction') }} = 'yes' as is_yes
    from {{ ref('evaluation__predictions') }} as predictions
    inner join {{ ref('tiny__examples') }} as examples using (example_id)
    where predictions.benchmark = 'tiny' and predictions.reason is null
)

select
    source_file,
    file_position,
    'same_word' as matcher,
    example_id,
    {{ list_value("'operator=' || operator", "'split=' || split") }} as slices,
    {{ one_if('is_correct') }} as credit,
    confidence,
    is_correct,
    is_yes,
    {{ other_outcomes('is_correct', 'is_yes') }}
from compared_answers
