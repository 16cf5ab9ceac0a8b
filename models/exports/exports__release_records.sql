with
records as (
    select * from {{ ref('exports__records') }}
    where split <> 'held_back'
),

-- an example that shows several pictures is whole where all of them are given along
named_pictures as (
    select
        benchmark, example_id, place,
        case when picture_state = 'available' then image end as image,
        nullif(picture_state, 'available') as missing_state
    from {{ ref('exports__example_pictures') }}
),

picture_lists as (
    select
        benchmark, example_id,
        {{ array_agg('image', 'place') }} as images,
        min(missing_state) as missing_state
    from named_pictures
    group by benchmark, example_id
)

select
    records.benchmark, records.example_id, records.group_id, records.base_id, records.variant_id,
    records.question_id, records.source_image_id, records.text_input, records.question,
    records.gold_answer, records.split, records.family, records.operator, records.corrupt_modality,
    records.severity, records.answer_type, records.oracle_action, records.record_version,
    records.license_name, records.license_url, records.flickr_url, records.target,
    picture_lists.images,
    coalesce(picture_lists.missing_state, 'available') as picture_state
from records
inner join picture_lists using (benchmark, example_id)
