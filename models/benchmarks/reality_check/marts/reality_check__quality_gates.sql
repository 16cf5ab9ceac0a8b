with
findings as (
    select * from {{ ref('reality_check__configuration_checks') }}
    union all
    select * from {{ ref('reality_check__picture_checks') }}
    union all
    select * from {{ ref('reality_check__generation_checks') }}
    union all
    select * from {{ ref('reality_check__translation_checks') }}
)

-- a check that nothing has measured yet is neither passed nor failed
select
    quality_checks.gate_id,
    quality_checks.stage,
    quality_checks.check_name,
    quality_checks.measures,
    coalesce(findings.measured, probes.measured) as measured,
    quality_checks.threshold,
    case
        when findings.measured is not null then null
        when probes.evidence is not null then probes.evidence
        when quality_checks.is_probed then 'not probed yet: gainsay reality-check probe'
        else 'not measured in this build'
    end as evidence,
    quality_checks.position,
    quality_checks.is_probed,
    coalesce(findings.is_passed, probes.is_passed) as is_passed
from {{ ref('reality_check_quality_checks') }} as quality_checks
left join findings using (gate_id, check_name)
left join {{ ref('stg_gainsay__reality_check_probes') }} as probes
    on
        quality_checks.gate_id = probes.gate_id
        and quality_checks.check_name = probes.check_name
        and quality_checks.is_probed
