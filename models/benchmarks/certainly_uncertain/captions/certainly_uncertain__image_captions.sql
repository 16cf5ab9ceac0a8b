-- a view, because only requests to language models need it
{{ config(materialized='view') }}
select
    source_image_id,
    {{ listagg_lines(stripped_line('text'), order_by='text_position') }} as captions
from {{ ref('certainly_uncertain__texts') }}
group by source_image_id
