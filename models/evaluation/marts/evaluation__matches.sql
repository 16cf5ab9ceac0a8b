with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where reason is null

),

matchers as (

    select * from {{ ref('evaluation_matchers') }}

),

clash as (

    select
        source_file,
        file_position,
        matcher,
        slices,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        cast(null as double) as credit,
        is_contradiction,
        is_image_only,
        is_text_only,
        is_distractor,
        not is_contradiction
        and not is_image_only
        and not is_text_only
        and not is_distractor as is_none,
        cast(null as boolean) as is_correct,
        cast(null as boolean) as is_abstained,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        cast(null as boolean) as is_gold_abstained
    from {{ ref('evaluation__clash_matches') }}

),

conflict_suite as (

    select
        source_file,
        file_position,
        'exact' as matcher,
        slices,
        oracle_action,
        {{ one_if('is_success') }} as credit,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        is_correct,
        is_abstained,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        cast(null as boolean) as is_gold_abstained
    from {{ ref('evaluation__conflict_suite_matches') }}

),

vqa as (

    select
        source_file,
        file_position,
        'vqa_accuracy' as matcher,
        slices,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        vqa_accuracy as credit,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        cast(null as boolean) as is_correct,
        cast(null as boolean) as is_abstained,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        cast(null as boolean) as is_gold_abstained
    from {{ ref('evaluation__vqa_matches') }}

),

pope as (

    select
        source_file,
        file_position,
        'first_sentence' as matcher,
        slices,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        {{ one_if('is_yes = is_gold_yes') }} as credit,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        is_yes = is_gold_yes as is_correct,
        cast(null as boolean) as is_abstained,
        is_yes,
        is_gold_yes,
        cast(null as boolean) as is_gold_abstained
    from {{ ref('evaluation__pope_matches') }}

),

uncertainty as (

    select
        source_file,
        file_position,
        'lave_idk' as matcher,
        slices,
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        lave_idk as credit,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        cast(null as boolean) as is_distractor,
        cast(null as boolean) as is_none,
        cast(null as boolean) as is_correct,
        is_idk as is_abstained,
        cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes,
        is_gold_idk as is_gold_abstained
    from {{ ref('evaluation__uncertainty_matches') }}

),

flagged as (

    select * from clash
    union all
    select * from conflict_suite
    union all
    select * from vqa
    union all
    select * from pope
    union all
    select * from uncertainty

),

final as (

    select
        predictions.source_file,
        predictions.benchmark,
        predictions.task,
        predictions.condition,
        predictions.model,
        predictions.run,
        flagged.matcher,
        matchers.version as matcher_version,
        predictions.example_id,
        predictions.source_image_id,
        predictions.prediction,
        predictions.stated_action,
        flagged.oracle_action,
        flagged.slices,
        predictions.file_position,
        predictions.image_id,
        -- what the benchmark gives for the answer, 0 to 1; CLASH gives for the right modality
        case
            when predictions.benchmark = 'clash' and predictions.condition = 'original'
                then {{ one_if('flagged.is_image_only') }}
            when predictions.benchmark = 'clash'
                then {{ one_if('flagged.is_contradiction') }}
            else flagged.credit
        end as credit,
        -- where a model verified itself, that is how sure it was
        case
            when predictions.benchmark <> 'certainly_uncertain' then predictions.confidence
            when predictions.p_yes + predictions.p_no > 0
                then predictions.p_yes / (predictions.p_yes + predictions.p_no)
        end as confidence,
        flagged.is_contradiction,
        flagged.is_image_only,
        flagged.is_text_only,
        flagged.is_distractor,
        flagged.is_none,
        flagged.is_correct,
        flagged.is_abstained,
        flagged.is_yes,
        flagged.is_gold_yes,
        flagged.is_gold_abstained
    from flagged
    inner join predictions
        on
            flagged.source_file = predictions.source_file
            and flagged.file_position = predictions.file_position
    inner join matchers
        on
            predictions.benchmark = matchers.benchmark
            and predictions.task = matchers.task
            and flagged.matcher = matchers.matcher

)

select * from final
