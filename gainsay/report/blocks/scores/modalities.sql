-- title: with both sides, the text alone, the picture alone, and blind
-- by the main metric of each benchmark, the first of those that its models are scored by
with main_metrics as (
    select
        leaderboard.benchmark,
        arg_min(leaderboard.metric, (metrics.place, leaderboard.metric)) as metric
    from evaluation.evaluation__leaderboard as leaderboard
    inner join evaluation.evaluation__metrics as metrics
        on leaderboard.benchmark = metrics.benchmark and leaderboard.metric = metrics.metric
    group by leaderboard.benchmark
)

select
    modalities.benchmark,
    modalities.model,
    modalities.both_value as both_sides,
    modalities.text_value as text_alone,
    modalities.picture_value as picture_alone,
    modalities.blind_value as blind,
    modalities.unit,
    coalesce(modalities.both_sample_entropy, modalities.both_token_entropy) as entropy_of_both,
    coalesce(modalities.text_sample_entropy, modalities.text_token_entropy) as entropy_of_text,
    coalesce(modalities.picture_sample_entropy, modalities.picture_token_entropy)
        as entropy_of_picture,
    modalities.task,
    modalities.condition,
    modalities.matcher,
    modalities.split,
    modalities.n_both as n_answers
from evaluation.evaluation__modalities as modalities
inner join main_metrics
    on modalities.benchmark = main_metrics.benchmark and modalities.metric = main_metrics.metric
order by
    modalities.benchmark,
    modalities.task,
    modalities.condition,
    modalities.matcher,
    modalities.split,
    modalities.model
