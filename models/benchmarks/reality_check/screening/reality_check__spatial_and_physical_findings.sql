with
bias_failures as (select * from {{ ref('reality_check__bias_failures') }}),

findings as (
    select
        'compound::spatial_relations+physical_plausibility::' || spatial_findings.image_id
            as candidate_id,
        'compound' as bias_type, 'spatial_relations+physical_plausibility' as combination,
        spatial_findings.image_id, 'hard' as difficulty,
        {{ list_value('spatial_findings.axis') }} as evidence_words,
        {{ json_object(
            physical_plausibility='physical_failures.drop_stage',
            spatial_relations='spatial_failures.drop_stage'
        ) }} as evidence,
        -- the image stands for both biases
        spatial_failures.drop_stage is null
        and physical_failures.drop_stage is null as passes_components,
        case
            when spatial_failures.drop_stage is not null
                then 'spatial_relations: ' || spatial_failures.drop_stage
            else 'physical_plausibility: ' || physical_failures.drop_stage
        end as components_detail
    from {{ ref('reality_check__spatial_relations_findings') }} as spatial_findings
    inner join {{ ref('reality_check__physical_plausibility_findings') }} as physical_findings
        using (image_id)
    left join bias_failures as spatial_failures
        on spatial_findings.candidate_id = spatial_failures.candidate_id
    left join bias_failures as physical_failures
        on physical_findings.candidate_id = physical_failures.candidate_id
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compound', 'reality_check__spatial_and_physical_findings'
    ) }} as is_possible
from findings
