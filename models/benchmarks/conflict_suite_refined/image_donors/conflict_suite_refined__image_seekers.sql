with

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}
    where mix_state <> 'different'

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

-- every category that a question may speak of: a picture that shows one is not irrelevant
named_categories as (

    select
        question_objects.question,
        {{ list_sort_distinct(array_agg_unordered('categories.category_id')) }} as categories
    from question_objects
    inner join categories
        on question_objects.category = categories.category
    group by question_objects.question

),

final as (

    select
        bases.base_id,
        bases.source_image_id,
        image_ring.ring,
        image_ring.ring_position,
        image_ring.ring_size,
        coalesce(named_categories.categories, {{ empty_list('bigint') }}) as categories
    from bases
    inner join mix
        on bases.base_id = mix.base_id
    inner join image_ring
        on bases.source_image_id = image_ring.source_image_id
    left join named_categories
        on bases.question = named_categories.question

)

select * from final
