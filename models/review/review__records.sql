with
published_records as (
    {{ union_of_ports('review_records') }}
),

gold_answers as (select * from {{ ref('review_gold') }}),

renderings as (
    select * from {{ ref('images__renderings') }}
    where error_kind is null
),

known_pictures as (
    select
        source_image_id as picture_id,
        path as file,
        archive, false as is_rendering
    from {{ ref('images__files') }}
    union all
    select
        recipes.source_image_id || '::' || recipes.recipe_id as picture_id,
        renderings.rendered_file as file,
        cast(null as string) as archive, true as is_rendering
    from {{ ref('images__recipes') }} as recipes
    inner join renderings using (render_key)
),

shown_pictures as (
    select
        benchmark, queue, record_id, picture_roles,
        {{ unnest_list_with_position('picture_ids', value='picture_id', place='place') }}
    from published_records
),

-- a picture that is not landed, or could not be rendered, has no file
picture_objects as (
    select
        shown_pictures.benchmark, shown_pictures.queue, shown_pictures.record_id,
        shown_pictures.place,
        {{ json_object(
            role=list_extract('shown_pictures.picture_roles', 'shown_pictures.place'),
            picture_id='shown_pictures.picture_id',
            file='known_pictures.file',
            archive='known_pictures.archive',
            is_rendering='coalesce(known_pictures.is_rendering, false)'
        ) }} as picture_object
    from shown_pictures
    left join known_pictures using (picture_id)
),

listed_pictures as (
    select
        benchmark, queue, record_id,
        {{ array_agg('picture_object', order_by='place') }} as pictures
    from picture_objects
    group by benchmark, queue, record_id
),

gold_fields as (
    select *, '"' || question || '":"' || answer || '"' as gold_field from gold_answers
),

listed_gold as (
    select
        benchmark, queue, record_id,
        {{ array_agg('gold_field', order_by='question') }} as gold_fields
    from gold_fields
    group by benchmark, queue, record_id
)

select
    published_records.benchmark, published_records.queue, published_records.record_id,
    published_records.record_md5, published_records.image_id, published_records.split,
    cast(published_records.draw as bigint) as draw,
    '{' || {{ array_join('listed_gold.gold_fields', "','") }} || '}' as gold_answers,
    published_records.asked_questions,
    '{"pictures":' || {{ json_list('listed_pictures.pictures') }}
    || ',"texts":' || published_records.texts
    || ',"choices":' || published_records.choices || '}' as shown,
    listed_gold.record_id is not null as is_gold
from published_records
left join listed_pictures using (benchmark, queue, record_id)
left join listed_gold using (benchmark, queue, record_id)
