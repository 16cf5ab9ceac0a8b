with

quality_checks as (

    select * from {{ ref('reality_check_quality_checks') }}

),

findings as (

    select * from {{ ref('reality_check__configuration_findings') }}
    union all
    select * from {{ ref('reality_check__collection_findings') }}
    union all
    select * from {{ ref('reality_check__annotation_findings') }}
    union all
    select * from {{ ref('reality_check__generation_findings') }}
    union all
    select * from {{ ref('reality_check__translation_findings') }}

),

-- a check that nothing has measured yet is neither passed nor failed
final as (

    select
        quality_checks.gate_id,
        quality_checks.stage,
        quality_checks.check_name,
        quality_checks.measures,
        findings.measured,
        quality_checks.threshold,
        case
            when findings.measured is not null then null
            when quality_checks.is_probed then 'measured outside the warehouse: not probed yet'
            else 'not measured in this build'
        end as evidence,
        quality_checks.position,
        quality_checks.is_probed,
        findings.is_passed
    from quality_checks
    left join findings
        on
            quality_checks.gate_id = findings.gate_id
            and quality_checks.check_name = findings.check_name

)

select * from final
