with
-- scores of several runs of one model are samples of one score
scores as (
    select
        benchmark, task, matcher, metric, model, unit, value, n,
        case slice_name when 'overall' then 'all' else slice_value end as split,
        {{ whole_condition('condition') }} as whole_condition,
        {{ shown_modality('condition') }} as modality
    from {{ ref('evaluation__scores') }}
    where slice_name in ('overall', 'split')
),

compared_scores as (
    select
        benchmark, task, whole_condition, matcher, metric, model, split,
        split = 'held_back' as is_held_back,
        max(unit) as unit,
        avg(case modality when 'both' then value end) as both_value,
        avg(case modality when 'text' then value end) as text_value,
        avg(case modality when 'picture' then value end) as picture_value,
        max(case modality when 'both' then n end) as n_both,
        max(case modality when 'text' then n end) as n_text,
        max(case modality when 'picture' then n end) as n_picture
    from scores
    group by benchmark, task, whole_condition, matcher, metric, model, split
    having count(distinct modality) > 1 or max(modality) <> 'both'
),

blind_values as (
    select
        benchmark, task,
        condition as whole_condition,
        matcher, metric, split,
        value as blind_value
    from {{ ref('evaluation__blind_gains') }}
    where is_blind
),

entropies as (
    select
        benchmark, task,
        condition as whole_condition,
        model, is_held_back,
        avg(case modality when 'both' then sample_entropy end) as both_sample_entropy,
        avg(case modality when 'text' then sample_entropy end) as text_sample_entropy,
        avg(case modality when 'picture' then sample_entropy end) as picture_sample_entropy,
        avg(case modality when 'both' then token_entropy end) as both_token_entropy,
        avg(case modality when 'text' then token_entropy end) as text_token_entropy,
        avg(case modality when 'picture' then token_entropy end) as picture_token_entropy
    from {{ ref('evaluation__answer_entropies') }}
    group by benchmark, task, condition, model, is_held_back
)

select
    compared_scores.benchmark,
    compared_scores.task,
    compared_scores.whole_condition as condition,
    compared_scores.matcher,
    compared_scores.metric,
    compared_scores.model,
    compared_scores.split,
    compared_scores.unit,
    {{ nine_places('compared_scores.both_value') }} as both_value,
    {{ nine_places('compared_scores.text_value') }} as text_value,
    {{ nine_places('compared_scores.picture_value') }} as picture_value,
    blind_values.blind_value
    * case compared_scores.unit when 'percent' then 100 else 1 end as blind_value,
    {{ nine_places('entropies.both_sample_entropy') }} as both_sample_entropy,
    {{ nine_places('entropies.text_sample_entropy') }} as text_sample_entropy,
    {{ nine_places('entropies.picture_sample_entropy') }} as picture_sample_entropy,
    {{ nine_places('entropies.both_token_entropy') }} as both_token_entropy,
    {{ nine_places('entropies.text_token_entropy') }} as text_token_entropy,
    {{ nine_places('entropies.picture_token_entropy') }} as picture_token_entropy,
    compared_scores.n_both,
    compared_scores.n_text,
    compared_scores.n_picture
from compared_scores
left join blind_values using (benchmark, task, whole_condition, matcher, metric, split)
left join entropies using (benchmark, task, whole_condition, model, is_held_back)
