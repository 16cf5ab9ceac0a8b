with

spatial_candidates as (

    select * from {{ ref('reality_check__spatial_relations_candidates') }}

),

physical_candidates as (

    select * from {{ ref('reality_check__physical_plausibility_candidates') }}

),

final as (

    select
        'compound::spatial_relations+physical_plausibility::' || spatial_candidates.image_id
            as candidate_id,
        'compound' as bias_type,
        'spatial_relations+physical_plausibility' as combination,
        spatial_candidates.image_id,
        'hard' as difficulty,
        {{ list_value('spatial_candidates.axis') }} as evidence_words,
        {{ json_object(
            physical_plausibility='physical_candidates.drop_stage',
            spatial_relations='spatial_candidates.drop_stage'
        ) }} as evidence,
        case
            when
                spatial_candidates.drop_stage is not null
                or physical_candidates.drop_stage is not null
                then 'components'
        end as drop_stage,
        case
            when spatial_candidates.drop_stage is not null
                then 'spatial_relations: ' || spatial_candidates.drop_stage
            when physical_candidates.drop_stage is not null
                then 'physical_plausibility: ' || physical_candidates.drop_stage
        end as drop_detail
    from spatial_candidates
    inner join physical_candidates
        on spatial_candidates.image_id = physical_candidates.image_id

)

select * from final
