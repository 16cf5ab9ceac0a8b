with

absent_objects as (

    select * from {{ ref('conflict_suite__absent_objects') }}
    where absence_gap is null

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

caption_questions as (

    select
        bases.base_id || '::' || cast(captions.caption_id as {{ dbt.type_string() }}) as text_id,
        bases.base_id,
        bases.question,
        captions.caption as text
    from absent_objects
    inner join bases
        on absent_objects.base_id = bases.base_id
    inner join captions
        on bases.source_image_id = captions.source_image_id

),

readings as (

    {{ text_readings('caption_questions') }}

),

final as (

    select
        caption_questions.base_id,
        sum(readings.n_mentions) as n_mentions
    from caption_questions
    inner join readings
        on caption_questions.text_id = readings.text_id
    group by caption_questions.base_id

)

select * from final
