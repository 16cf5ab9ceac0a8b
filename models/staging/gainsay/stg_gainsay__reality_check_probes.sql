select gate_id, check_name, measured, evidence, is_passed, _landed_at as landed_at
from {{ source('raw', 'reality_check_probes') }}
