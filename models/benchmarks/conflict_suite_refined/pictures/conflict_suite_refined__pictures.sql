with
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),
images as (select * from {{ ref('images__source_images') }}),

occlusions as (
    select * from {{ ref('occlusions__screened') }}
    where
        is_retained
        and image_state <> 'clean'
        and rle is not null
),

shown_pictures as (
    select
        base_id, 'own' as image_source,
        source_image_id as shown_image_id,
        image_file,
        gold_answer as answer,
        cast(null as string) as occlusion_id, cast(null as string) as vision_family,
        cast(null as string) as rle
    from bases
    union all
    select
        partners.base_id, 'partner' as image_source,
        partners.partner_image_id as shown_image_id,
        images.file_name as image_file,
        partners.answer, cast(null as string) as occlusion_id,
        cast(null as string) as vision_family, cast(null as string) as rle
    from {{ ref('conflict_suite_refined__partners') }} as partners
    inner join images on partners.partner_image_id = images.source_image_id
    union all
    select
        image_donors.base_id, 'donor' as image_source,
        image_donors.image_donor_id as shown_image_id,
        images.file_name as image_file,
        cast(null as string) as answer, cast(null as string) as occlusion_id,
        cast(null as string) as vision_family, cast(null as string) as rle
    from {{ ref('conflict_suite_refined__image_donors') }} as image_donors
    inner join images on image_donors.image_donor_id = images.source_image_id
    union all
    -- The objects behind a filled shape, or painted over from their surroundings. What asks for
    -- something else than a COCO category may ask for what is not covered.
    select
        bases.base_id,
        case occlusions.operator when 'occlusion_target' then 'hidden' else 'removed' end
            as image_source,
        bases.source_image_id as shown_image_id,
        bases.image_file, cast(null as string) as answer,
        occlusions.example_id as occlusion_id,
        occlusions.operator as vision_family,
        occlusions.rle
    from bases
    inner join occlusions using (base_id)
    where
        occlusions.operator in ('occlusion_target', 'inpaint_remove')
        and bases.is_about_object
)

select
    concat_ws(
        '::', shown_pictures.base_id, shown_pictures.image_source, shown_pictures.answer
    ) as picture_id,
    shown_pictures.* {{ exclude('answer') }},
    -- a picture without the object answers what asks for its presence or number
    coalesce(shown_pictures.answer, picture_answers.image_supported_target)
        as image_supported_target
from shown_pictures
inner join bases using (base_id)
left join {{ ref('conflict_suite_refined_picture_answers') }} as picture_answers
    on
        shown_pictures.image_source = picture_answers.image_source
        and bases.answer_type = picture_answers.answer_type
