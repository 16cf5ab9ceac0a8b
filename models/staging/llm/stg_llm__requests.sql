select custom_id, task, model, prompt_sha256, input_id, body, _landed_at as landed_at
from {{ source('raw', 'llm_requests') }}
