with
released as (select * from {{ ref('clash__samples') }}),

generated as (
    select * from {{ ref('clash__screened') }}
    where origin = 'generated' and is_retained
)

-- a generated sample that repeats a released one is that one
select
    'released' as origin, sample_id, image_id, source_image_id, question, change_type,
    image_only_answer, text_only_answer, distractor_answer, categories
from released
union all
select
    'generated' as origin, generated.sample_id, generated.image_id, generated.source_image_id,
    generated.question, generated.change_type, generated.image_only_answer,
    generated.text_only_answer, generated.distractor_answer, generated.categories
from generated
left join released using (sample_id)
where released.sample_id is null
