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

evidence as (

    select * from {{ ref('conflict_suite__evidence') }}

),

object_words as (

    select * from {{ ref('object_words') }}
    where is_certain

),

-- bases that ask for an object itself, not for something of it such as a bus's wheels
bases_about_objects as (

    select
        evidence.base_id,
        min(object_words.category) as asked_category
    from evidence
    inner join object_words
        on evidence.asked_noun = object_words.phrase
    group by evidence.base_id

),

final as (

    select
        bases.base_id,
        bases.source_image_id,
        bases.question,
        question_categories.categories,
        bases_about_objects.asked_category,
        files.width,
        files.height,
        bases_about_objects.base_id is not null as is_about_object
    from bases
    inner join files
        on bases.source_image_id = files.source_image_id
    left join question_categories
        on bases.question = question_categories.question
    left join bases_about_objects
        on bases.base_id = bases_about_objects.base_id

)

select * from final
