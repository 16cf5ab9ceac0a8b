with
-- what a model answered once, seeing both sides, says nothing of how its answers spread
compared_models as (
    select benchmark, task, {{ whole_condition('condition') }} as whole_condition, model
    from {{ ref('evaluation__runs') }}
    where split = 'all'
    group by benchmark, task, whole_condition, model
    having count(*) > 1 or max({{ shown_modality('condition') }}) <> 'both'
),

predictions as (
    select
        *,
        {{ whole_condition('condition') }} as whole_condition,
        {{ shown_modality('condition') }} as modality,
        {{ plain_words("coalesce(prediction, '')") }} as said
    from {{ ref('evaluation__predictions') }}
    where reason is null
),

held_back_answers as (
    select distinct source_file, file_position
    from {{ ref('evaluation__matches') }}
    where is_held_back
),

samples as (
    select predictions.*, held_back_answers.source_file is not null as is_held_back
    from predictions
    inner join compared_models using (benchmark, task, whole_condition, model)
    left join held_back_answers using (source_file, file_position)
),

logprobs as (
    select source_file, file_position, {{ unnest_list('token_logprobs') }} as logprob
    from {{ ref('stg_gainsay__predictions') }}
    where token_logprobs is not null
),

surprises as (
    select
        source_file, file_position,
        -avg(logprob) as token_entropy
    from logprobs
    group by source_file, file_position
),

counted_answers as (
    select
        samples.benchmark, samples.task, samples.whole_condition, samples.modality, samples.model,
        samples.example_id, samples.is_held_back, samples.said,
        count(*) as n_said,
        sum(surprises.token_entropy) as summed_entropy,
        count(surprises.token_entropy) as n_surprises
    from samples
    left join surprises using (source_file, file_position)
    group by
        samples.benchmark, samples.task, samples.whole_condition, samples.modality,
        samples.model, samples.example_id, samples.is_held_back, samples.said
),

answer_shares as (
    select
        *,
        cast(n_said as double) / sum(n_said) over (
            partition by benchmark, task, whole_condition, modality, model, example_id
        ) as said_share
    from counted_answers
),

spreads as (
    select
        benchmark, task, whole_condition, modality, model, example_id, is_held_back,
        cast(sum(n_said) as bigint) as n_samples,
        cast(count(*) as bigint) as n_answers,
        abs(sum(said_share * ln(said_share))) as sample_entropy,
        sum(summed_entropy) / nullif(sum(n_surprises), 0) as token_entropy
    from answer_shares
    group by benchmark, task, whole_condition, modality, model, example_id, is_held_back
)

select
    benchmark,
    task,
    whole_condition as condition,
    modality,
    model,
    example_id,
    n_samples,
    n_answers,
    -- of one sample nobody knows how answers spread
    case when n_samples > 1 then {{ nine_places('sample_entropy') }} end as sample_entropy,
    {{ nine_places('token_entropy') }} as token_entropy,
    is_held_back
from spreads
