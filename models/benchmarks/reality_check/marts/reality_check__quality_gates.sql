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

-- a check that nothing has measured is neither passed nor failed
select
    quality_checks.gate_id,
    quality_checks.stage,
    quality_checks.check_name,
    quality_checks.measures,
    findings.measured,
    quality_checks.threshold,
    quality_checks.position,
    findings.is_passed
from {{ ref('reality_check_quality_checks') }} as quality_checks
left join findings using (gate_id, check_name)
