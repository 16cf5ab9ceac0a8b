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

category_bases as (
    select * from bases
    where is_about_category
),

donor_answers as (
    select * from {{ ref('conflict_suite_refined_picture_answers') }}
    where image_source = 'donor'
),

image_ring as (select * from {{ ref('conflict_suite_refined__image_ring') }}),

donors as (
    select * from image_ring
    where is_donor
),

categories as (
    select distinct category_id, category from {{ ref('stg_coco__categories') }}
),

-- every category that a question may speak of: a picture that shows one is not without it
named_categories as (
    select
        question_objects.question,
        {{ list_sort_distinct(array_agg_unordered('categories.category_id')) }} as categories
    from {{ ref('lexicon__question_objects') }} as question_objects
    inner join categories using (category)
    group by question_objects.question
),

-- a picture that gives the gold answer is of no use
image_seekers as {{ computed_once() }} (
    select
        category_bases.base_id, category_bases.source_image_id, image_ring.ring,
        image_ring.ring_position, image_ring.ring_size, named_categories.categories
    from category_bases
    inner join image_ring using (source_image_id)
    inner join named_categories using (question)
    left join donor_answers using (answer_type)
    where (donor_answers.image_supported_target = category_bases.gold_answer) is not true
),

nearby_donors as {{ computed_once() }} (
    {{ walk_ring(
        'image_ring', none, var('conflict_suite_donor_windows').image, is_irrelevant_image(),
        seekers='image_seekers'
    ) }}
),

-- the whole ring, for those that found none nearby
farther_donors as (
    {{ walk_ring(
        'image_ring', 'nearby_donors', none, is_irrelevant_image(), seekers='image_seekers'
    ) }}
),

distances as (
    select * from nearby_donors
    where donor_distance is not null
    union all
    select * from farther_donors
    where donor_distance is not null
),

-- the first picture on the ring of its split, behind the base's own, that has no instance of a COCO
-- category that the question or a caption names; no picture crosses splits
image_donors as (
    select image_seekers.base_id, donors.source_image_id as image_donor_id
    from distances
    inner join image_seekers using (base_id)
    inner join donors
        on
            image_seekers.ring = donors.ring
            and (image_seekers.ring_position + distances.donor_distance)
            % image_seekers.ring_size = donors.ring_position
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
    from image_donors
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
