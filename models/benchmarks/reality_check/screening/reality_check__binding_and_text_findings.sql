with
bias_failures as (select * from {{ ref('reality_check__bias_failures') }}),

-- the colours of the first picture alone are asked about
component_stages as (
    select
        text_findings.image_id, text_findings.names,
        text_failures.drop_stage as text_stage,
        case when text_pairs.pair_id is not null then binding_failures.drop_stage end
            as binding_stage
    from {{ ref('reality_check__text_in_image_findings') }} as text_findings
    inner join {{ ref('reality_check__compositional_binding_findings') }} as binding_findings
        using (image_id)
    left join {{ ref('reality_check__text_in_image_pairs') }} as text_pairs
        on text_findings.image_id = text_pairs.image_a_id
    left join bias_failures as text_failures
        on text_findings.candidate_id = text_failures.candidate_id
    left join bias_failures as binding_failures
        on binding_findings.candidate_id = binding_failures.candidate_id
),

findings as (
    select
        'compound::compositional_binding+text_in_image::' || image_id as candidate_id,
        'compound' as bias_type, 'compositional_binding+text_in_image' as combination, image_id,
        'hard' as difficulty,
        coalesce(names, {{ empty_list('string') }}) as evidence_words,
        {{ json_object(
            compositional_binding='binding_stage', names='names', text_in_image='text_stage'
        ) }} as evidence,
        -- the image stands for text, and a first picture for binding as well
        text_stage is null and binding_stage is null as passes_components,
        case
            when text_stage is not null then 'text_in_image: ' || text_stage
            else 'compositional_binding: ' || binding_stage
        end as components_detail
    from component_stages
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_compound', 'reality_check__binding_and_text_findings'
    ) }} as is_possible
from findings
