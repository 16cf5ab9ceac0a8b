with

text_candidates as (

    select * from {{ ref('reality_check__text_in_image_candidates') }}

),

text_pairs as (

    select * from {{ ref('reality_check__text_in_image_pairs') }}

),

binding_candidates as (

    select * from {{ ref('reality_check__compositional_binding_candidates') }}

),

-- the colours of the first picture alone are asked about
component_findings as (

    select
        text_candidates.image_id,
        text_candidates.names,
        text_candidates.drop_stage as text_stage,
        case when text_pairs.pair_id is not null then binding_candidates.drop_stage end
            as binding_stage
    from text_candidates
    inner join binding_candidates
        on text_candidates.image_id = binding_candidates.image_id
    left join text_pairs
        on text_candidates.image_id = text_pairs.image_a_id

),

final as (

    select
        'compound::compositional_binding+text_in_image::' || image_id as candidate_id,
        'compound' as bias_type,
        'compositional_binding+text_in_image' as combination,
        image_id,
        'hard' as difficulty,
        coalesce(names, {{ empty_list(dbt.type_string()) }}) as evidence_words,
        {{ json_object(
            compositional_binding='binding_stage', names='names', text_in_image='text_stage'
        ) }} as evidence,
        case
            when text_stage is not null or binding_stage is not null then 'components'
        end as drop_stage,
        case
            when text_stage is not null then 'text_in_image: ' || text_stage
            when binding_stage is not null then 'compositional_binding: ' || binding_stage
        end as drop_detail
    from component_findings

)

select * from final
