-- a view: the answers are matched together with those of its sister
{{ config(materialized='view') }}

select
    source_file,
    file_position,
    'lave_idk' as matcher,
    example_id,
    {{ empty_list('varchar') }} as slices,
    credit,
    confidence,
    cast(null as {{ dbt.type_string() }}) as oracle_action,
    cast(null as boolean) as is_correct,
    cast(null as boolean) as was_correct,
    is_abstained,
    is_gold_abstained,
    cast(null as boolean) as is_contradiction,
    cast(null as boolean) as is_image_only,
    cast(null as boolean) as is_text_only,
    cast(null as boolean) as is_distractor,
    cast(null as boolean) as is_none,
    cast(null as boolean) as is_yes,
    cast(null as boolean) as is_gold_yes,
    cast(null as {{ dbt.type_string() }}) as extraction
from {{ ref('evaluation__refusal_answers') }}
where benchmark = 'unk_vqa'
