with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

files as (

    select * from {{ ref('images__files') }}

),

named_categories as (

    select * from {{ ref('lexicon__question_objects') }}
    where is_certain

),

question_categories as (

    select
        question,
        {{ array_join(array_agg('category', order_by='category'), "', '") }} as categories
    from named_categories
    group by question

),

final as (

    select
        bases.base_id,
        bases.source_image_id,
        bases.question,
        question_categories.categories,
        files.width,
        files.height
    from bases
    inner join files
        on bases.source_image_id = files.source_image_id
    left join question_categories
        on bases.question = question_categories.question

)

select * from final
