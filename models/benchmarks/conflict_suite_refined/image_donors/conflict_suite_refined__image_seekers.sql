with

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}
    where is_about_category

),

picture_answers as (

    select * from {{ ref('conflict_suite_refined_picture_answers') }}
    where image_source = 'donor'

),

image_ring as (

    select * from {{ ref('conflict_suite_refined__image_ring') }}

),

question_objects as (

    select * from {{ ref('lexicon__question_objects') }}

),

categories as (

    select distinct
        category_id,
        category
    from {{ ref('stg_coco__categories') }}

),

-- every category that a question may speak of: a picture that shows one is not without it
named_categories as (

    select
        question_objects.question,
        {{ list_sort_distinct(array_agg_unordered('categories.category_id')) }} as categories
    from question_objects
    inner join categories
        on question_objects.category = categories.category
    group by question_objects.question

),

-- a picture that gives the gold answer is of no use
final as (

    select
        bases.base_id,
        bases.source_image_id,
        image_ring.ring,
        image_ring.ring_position,
        image_ring.ring_size,
        named_categories.categories
    from bases
    inner join image_ring
        on bases.source_image_id = image_ring.source_image_id
    inner join named_categories
        on bases.question = named_categories.question
    left join picture_answers
        on bases.answer_type = picture_answers.answer_type
    where (picture_answers.image_supported_target = bases.gold_answer) is not true

)

select * from final
