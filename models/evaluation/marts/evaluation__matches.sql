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
        *,
        not is_contradiction
        and not is_image_only
        and not is_text_only
        and not is_distractor as is_none
    from {{ ref('evaluation__clash_matches') }}

),

conflict_suite as (

    select * from {{ ref('evaluation__conflict_suite_matches') }}

),

vqa as (

    select * from {{ ref('evaluation__vqa_matches') }}

),

pope as (

    select
        *,
        is_yes = is_gold_yes as is_correct
    from {{ ref('evaluation__pope_matches') }}

),

uncertainty as (

    select * from {{ ref('evaluation__uncertainty_matches') }}

),

-- every answer is in the matches of one benchmark; the other four leave its columns null
final as (

    select
        predictions.source_file,
        predictions.benchmark,
        predictions.task,
        predictions.condition,
        predictions.model,
        predictions.run,
        matchers.matcher,
        matchers.version as matcher_version,
        predictions.example_id,
        predictions.source_image_id,
        predictions.prediction,
        predictions.stated_action,
        conflict_suite.oracle_action,
        coalesce(
            clash.slices, conflict_suite.slices, vqa.slices, pope.slices, uncertainty.slices
        ) as slices,
        predictions.file_position,
        predictions.image_id,
        -- what the benchmark gives for the answer, 0 to 1; CLASH gives for the right modality
        case predictions.benchmark
            when 'clash'
                then
                    case predictions.condition
                        when 'original' then {{ one_if('clash.is_image_only') }}
                        else {{ one_if('clash.is_contradiction') }}
                    end
            when 'conflict_suite' then {{ one_if('conflict_suite.is_success') }}
            when 'vqa' then vqa.vqa_accuracy
            when 'pope' then {{ one_if('pope.is_correct') }}
            when 'certainly_uncertain' then uncertainty.lave_idk
        end as credit,
        -- where a model verified itself, that is how sure it was
        case predictions.benchmark
            when 'certainly_uncertain' then uncertainty.p_correct
            else predictions.confidence
        end as confidence,
        clash.is_contradiction,
        clash.is_image_only,
        clash.is_text_only,
        clash.is_distractor,
        clash.is_none,
        coalesce(conflict_suite.is_correct, pope.is_correct) as is_correct,
        conflict_suite.was_correct,
        coalesce(conflict_suite.is_abstained, uncertainty.is_idk) as is_abstained,
        pope.is_yes,
        pope.is_gold_yes,
        uncertainty.is_gold_idk as is_gold_abstained
    from predictions
    inner join matchers
        on
            predictions.benchmark = matchers.benchmark
            and predictions.task = matchers.task
    left join clash
        on
            predictions.source_file = clash.source_file
            and predictions.file_position = clash.file_position
            and matchers.matcher = clash.matcher
    left join conflict_suite
        on
            predictions.source_file = conflict_suite.source_file
            and predictions.file_position = conflict_suite.file_position
    left join vqa
        on
            predictions.source_file = vqa.source_file
            and predictions.file_position = vqa.file_position
    left join pope
        on
            predictions.source_file = pope.source_file
            and predictions.file_position = pope.file_position
    left join uncertainty
        on
            predictions.source_file = uncertainty.source_file
            and predictions.file_position = uncertainty.file_position

)

select * from final
