-- a view: an export reads it once, and most builds never
{{ config(materialized='view') }}

with

shown_pictures as (

    select * from {{ ref('exports__shown_pictures') }}

),

recipes as (

    {{ union_of_ports('render_recipes', ['recipe_id', 'family', 'severity']) }}

),

render_keys as (

    select
        recipe_id,
        render_key
    from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}
    where error_kind is null

),

renderings_folder as (

    select * from {{ ref('images__renderings_folder') }}

),

rendered_recipes as (

    select
        recipes.benchmark,
        recipes.recipe_id,
        recipes.family,
        recipes.severity,
        renderings.rendered_file
    from recipes
    left join render_keys
        on recipes.recipe_id = render_keys.recipe_id
    left join renderings
        on render_keys.render_key = renderings.render_key

),

pictures as (

    select * from {{ ref('exports__pictures') }}

),

training_splits as (

    select split from {{ ref('split_roles') }}
    where role = 'training'

),

-- images that a benchmark of the var is tested on, by any of its examples
test_images as (

    select distinct
        benchmark,
        source_image_id
    from {{ ref('audit__split_pictures') }}
    where
        split_role = 'test'
        and benchmark in ({{ text_literals(var('export_keeps_out_test_pictures_of')) }})

),

-- a training example of another benchmark is kept out for its own image as for the one that it
-- shows; what the splits of one benchmark share, they share by design
kept_out_examples as (

    select
        shown_pictures.benchmark,
        shown_pictures.example_id
    from shown_pictures
    inner join training_splits
        on shown_pictures.split = training_splits.split
    inner join test_images
        on
            shown_pictures.source_image_id = test_images.source_image_id
            and shown_pictures.benchmark <> test_images.benchmark
    union
    select
        shown_pictures.benchmark,
        shown_pictures.example_id
    from shown_pictures
    inner join training_splits
        on shown_pictures.split = training_splits.split
    inner join test_images
        on
            shown_pictures.shown_image_id = test_images.source_image_id
            and shown_pictures.benchmark <> test_images.benchmark

),

-- a picture is given along where it lies on disk as the example has it, and may be
final as (

    select
        shown_pictures.benchmark,
        shown_pictures.example_id,
        shown_pictures.place,
        shown_pictures.source_image_id,
        shown_pictures.shown_image_id,
        shown_pictures.recipe_id,
        shown_pictures.split,
        rendered_recipes.family as vision_family,
        rendered_recipes.severity,
        case
            when shown_pictures.recipe_id is null then pictures.path
            else renderings_folder.folder || '/' || rendered_recipes.rendered_file
        end as image_path,
        case when shown_pictures.recipe_id is null then pictures.archive end as image_archive,
        -- a rendered picture is known by its content, a photograph by its image
        'images/' || case
            when shown_pictures.recipe_id is null
                then shown_pictures.shown_image_id || {{ file_suffix('pictures.path') }}
            else {{ file_name('rendered_recipes.rendered_file') }}
        end as image,
        pictures.author,
        pictures.page_url,
        pictures.license_name,
        pictures.license_url,
        pictures.flickr_url,
        case
            when pictures.picture_state is null then 'not_landed'
            when
                pictures.picture_state = 'available' and kept_out_examples.example_id is not null
                then 'test_picture_elsewhere'
            when pictures.picture_state <> 'available' then pictures.picture_state
            when shown_pictures.recipe_id is not null and rendered_recipes.rendered_file is null
                then 'not_rendered'
            else 'available'
        end as picture_state,
        coalesce(pictures.allows_derivatives, false) as allows_derivatives,
        coalesce(pictures.allows_commercial_use, false) as allows_commercial_use
    from shown_pictures
    left join pictures
        on shown_pictures.shown_image_id = pictures.source_image_id
    left join rendered_recipes
        on
            shown_pictures.benchmark = rendered_recipes.benchmark
            and shown_pictures.recipe_id = rendered_recipes.recipe_id
    left join kept_out_examples
        on
            shown_pictures.benchmark = kept_out_examples.benchmark
            and shown_pictures.example_id = kept_out_examples.example_id
    cross join renderings_folder

)

select * from final
