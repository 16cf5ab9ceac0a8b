with
-- every claim is asked of the picture as it is, and of one with less contrast
presentations as (
    select 'plain' as operator
    union all
    select 'contrast' as operator
)

select
    screened.candidate_id || '::' || presentations.operator as example_id,
    screened.candidate_id as group_id,
    screened.source_image_id,
    screened.source_image_id as shown_image_id,
    case
        when presentations.operator = 'contrast'
            then screened.candidate_id || '::' || presentations.operator
    end as recipe_id,
    screened.image_id,
    screened.image_file,
    'test' as split,
    screened.family,
    presentations.operator,
    cast(null as string) as text_input,
    screened.question,
    screened.gold_answer,
    screened.gold_answer as target,
    '1.0' as record_version
from {{ ref('tiny__screened') }} as screened
cross join presentations
where screened.is_retained
