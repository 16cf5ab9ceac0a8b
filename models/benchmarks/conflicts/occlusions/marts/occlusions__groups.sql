with
-- the text is true of the picture as it was: it answers what is hidden, agrees with what stays
-- visible, and contradicts what is painted over
masked_examples as (
    select
        *,
        count(target) over (partition by base_id) as n_answered,
        count(*) over (partition by base_id) as n_masked
    from {{ ref('occlusions__examples') }}
    where operator in ('occlusion_target', 'inpaint_remove', 'occlusion_control')
)

select
    base_id as group_id,
    example_id,
    'default' as condition,
    case operator
        when 'occlusion_target' then 'hidden'
        when 'inpaint_remove' then 'removed'
        else 'visible'
    end as role
from masked_examples
where n_answered between 1 and n_masked - 1
