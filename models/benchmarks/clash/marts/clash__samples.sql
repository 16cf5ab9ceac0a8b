-- of a sample that is released twice, the first counts
select
    sample_id,
    {{ clash_sample_columns() }}
from {{ ref('stg_clash__samples') }}
where occurrence = 1
