with
bases as (
    select * from {{ ref('conflict_suite_refined__bases') }}
    where is_about_category
),

picture_answers as (
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
        bases.base_id, bases.source_image_id, image_ring.ring, image_ring.ring_position,
        image_ring.ring_size, named_categories.categories
    from bases
    inner join image_ring using (source_image_id)
    inner join named_categories using (question)
    left join picture_answers using (answer_type)
    where (picture_answers.image_supported_target = bases.gold_answer) is not true
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
)

select image_seekers.base_id, donors.source_image_id as image_donor_id
from distances
inner join image_seekers using (base_id)
inner join donors
    on
        image_seekers.ring = donors.ring
        and (image_seekers.ring_position + distances.donor_distance)
        % image_seekers.ring_size = donors.ring_position
