-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}
with
outcomes as (
    select
        *,
        -- both sides of a pair stand in one file of answers
        count(*) over sides as n_sides,
        sum({{ one_if('credit = 1') }}) over sides as n_right_sides,
        {{ regexp_matches('example_id', '::(answerable|unanswerable)$') }} as is_of_pair,
        {{ one_if('is_abstained and is_gold_abstained') }} as n_both_abstained,
        {{ one_if('is_abstained') }} + {{ one_if('is_gold_abstained') }} as n_abstained,
        case
            when credit > 0 then credit * confidence
            when credit = 0 then -confidence
        end as confident_credit
    from {{ ref('uncertainty__outcomes') }}
    window sides as (
        partition by
            source_file,
            matcher,
            {{ regexp_replace('example_id', '::(answerable|unanswerable)$', '') }}
    )
),

answer_shares as (
    {%- if 'certainly_uncertain' in var('benchmarks') %}
        select * from {{ ref('certainly_uncertain__answer_shares') }}
    {%- else %}
        -- others say of no answer how many people gave it
        select example_id, prediction as answer, cast(null as double) as share
        from {{ ref('evaluation__predictions') }}
        where false
    {%- endif %}
),

shared_examples as (select distinct example_id from answer_shares),

limits as (
    select cast({{ threshold('shared', 'calibration_bins') }} as integer) as n_bins
),

-- an answer that says something, and how many of the people who were asked say the same
people_shares as (
    select
        outcomes.source_file, outcomes.file_position, outcomes.matcher, outcomes.confidence,
        coalesce(answer_shares.share, 0) as share,
        -- how far confidence is from people's share, in the mean of each tenth of the shares
        abs(avg(outcomes.confidence - coalesce(answer_shares.share, 0)) over (
            partition by
                outcomes.source_file,
                outcomes.matcher,
                least(
                    cast(floor(coalesce(answer_shares.share, 0) * limits.n_bins) as integer),
                    limits.n_bins - 1
                )
        )) as distance
    from outcomes
    cross join limits
    inner join {{ ref('evaluation__predictions') }} as predictions
        using (source_file, file_position)
    inner join shared_examples on outcomes.example_id = shared_examples.example_id
    left join answer_shares
        on
            outcomes.example_id = answer_shares.example_id
            and {{ plain_words('predictions.prediction') }} = answer_shares.answer
    where
        outcomes.benchmark = 'certainly_uncertain'
        and outcomes.confidence is not null
        and not outcomes.is_abstained
),

-- an answer without a confidence has no confident credit
measured_answers as (
    select
        outcomes.benchmark, outcomes.source_file, outcomes.file_position, outcomes.matcher,
        metrics.metric,
        case metrics.metric
            when 'lave_idk' then outcomes.credit
            -- what no judge has read for "I don't know" does not say it
            when 'f1_idk' then 2 * outcomes.n_both_abstained
            when 'confidence_weighted_accuracy' then outcomes.confident_credit
            when 'people_brier'
                then
                    (people_shares.confidence - people_shares.share)
                    * (people_shares.confidence - people_shares.share)
            when 'people_calibration' then people_shares.distance
            -- each side is its share of the pair, which needs two right ones
            when 'pair_accuracy'
                then
                    case
                        when outcomes.is_of_pair
                            then
                                case
                                    when outcomes.n_right_sides = 2
                                        then cast(1 as double) / outcomes.n_sides
                                    else cast(0 as double)
                                end
                    end
        end as numerator,
        case metrics.metric
            when 'f1_idk' then outcomes.n_abstained
            when 'pair_accuracy' then cast(1 as double) / outcomes.n_sides
            else cast(1 as double)
        end as denominator
    from outcomes
    inner join {{ ref('evaluation__metrics') }} as metrics using (benchmark)
    left join people_shares using (source_file, file_position, matcher)
)

select * from measured_answers
where numerator is not null
