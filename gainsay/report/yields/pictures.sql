-- every picture, and where each screening left it
select
    source_image_id,
    screening,
    coalesce(combination, '') as combination,
    coalesce(drop_stage, 'retained') as stage,
    coalesce(drop_reason, '') as reason,
    coalesce(drop_detail, '') as detail
from reality_check.reality_check__screened
where source_image_id is not null
order by all
