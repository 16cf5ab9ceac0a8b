-- a view: the answers are matched together with those of its sisters
{{ config(materialized='view') }}

select
    source_file,
    file_position,
    matcher,
    example_id,
    slices,
    cast(is_success as double) as credit,
    confidence,
    oracle_action,
    is_correct,
    was_correct,
    is_abstained,
    cast(null as boolean) as is_gold_abstained,
    cast(null as boolean) as is_contradiction,
    cast(null as boolean) as is_image_only,
    cast(null as boolean) as is_text_only,
    cast(null as boolean) as is_distractor,
    cast(null as boolean) as is_none,
    cast(null as boolean) as is_yes,
    cast(null as boolean) as is_gold_yes,
    extraction
from {{ ref('evaluation__conflict_answers') }}
where benchmark = 'occlusions'
