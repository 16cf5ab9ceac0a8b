with

examples as (

    select distinct
        benchmark,
        example_id
    from {{ ref('report__examples') }}

),

shown_pictures as (

    select * from {{ ref('exports__shown_pictures') }}

),

final as (

    select
        shown_pictures.benchmark,
        shown_pictures.example_id,
        concat_ws(
            '::', shown_pictures.shown_image_id, shown_pictures.recipe_id
        ) as picture_id,
        shown_pictures.shown_image_id,
        shown_pictures.recipe_id,
        cast(shown_pictures.place as bigint) as place
    from shown_pictures
    inner join examples
        on
            shown_pictures.benchmark = examples.benchmark
            and shown_pictures.example_id = examples.example_id
    where shown_pictures.shown_image_id is not null

)

select * from final
