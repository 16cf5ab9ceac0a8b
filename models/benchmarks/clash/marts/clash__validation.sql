with

screened as (

    select * from {{ ref('clash__screened') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- people see every sample that passes all other filters, also those that people rejected before
final as (

    select
        screened.sample_id,
        screened.origin,
        screened.image_id,
        screened.source_image_id,
        coalesce(images.file_name, screened.source_image_id) as image_file,
        screened.original_caption,
        screened.conflicting_caption,
        screened.question,
        screened.image_only_answer,
        screened.text_only_answer,
        screened.distractor_answer,
        cast(row_number() over (
            partition by screened.origin
            order by {{ seeded_order('validation', 'screened.sample_id') }}, screened.sample_id
        ) as bigint) as draw,
        screened.n_human_verdicts,
        screened.n_human_accepts,
        case when screened.n_human_verdicts > 0 then screened.is_retained end as is_accepted
    from screened
    left join images
        on screened.source_image_id = images.source_image_id
    where screened.is_retained or screened.drop_stage = 'human_check'

)

select * from final
