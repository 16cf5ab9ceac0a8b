with
shown_pictures as (select * from {{ ref('exports__shown_pictures') }}),

recipes as (
    {{ union_of_ports('render_recipes', ['recipe_id', 'family', 'severity']) }}
),

render_keys as (
    select recipe_id, render_key from {{ ref('images__recipes') }}
),

renderings as (
    select * from {{ ref('images__renderings') }}
    where error_kind is null
),

-- an example may show what another benchmark's recipe makes: occlusions judge the boxes of the
-- Conflict Suite
rendered_recipes as (
    select recipes.recipe_id, recipes.family, recipes.severity, renderings.rendered_file
    from recipes
    left join render_keys using (recipe_id)
    left join renderings on render_keys.render_key = renderings.render_key
),

training_splits as (
    select split from {{ ref('split_roles') }}
    where role = 'training'
),

-- images that a benchmark of the var is tested on, by any of its examples
test_images as (
    select distinct benchmark, source_image_id
    from {{ ref('exports__split_pictures') }}
    where
        split_role = 'test'
        and benchmark in ({{ text_literals(var('export_keeps_out_test_pictures_of')) }})
),

likeness_keys as (select * from {{ ref('images__likeness_keys') }}),

test_keys as (
    select distinct test_images.benchmark, likeness_keys.likeness, likeness_keys.likeness_key
    from test_images
    inner join likeness_keys using (source_image_id)
),

-- images that are those or look like them, and the state that each of these has elsewhere
kept_out_images as (
    select
        benchmark as test_benchmark,
        source_image_id, 1 as likeness_order, 'test_picture_elsewhere' as picture_state
    from test_images
    union all
    select
        test_keys.benchmark as test_benchmark,
        likeness_keys.source_image_id,
        case likeness_keys.likeness when 'same_content' then 2 else 3 end as likeness_order,
        case likeness_keys.likeness
            when 'same_content' then 'copy_of_test_picture'
            else 'near_test_picture'
        end as picture_state
    from likeness_keys
    inner join test_keys using (likeness, likeness_key)
    where likeness_keys.is_own
),

training_images as (
    select shown_pictures.benchmark, shown_pictures.example_id, shown_pictures.source_image_id
    from shown_pictures
    inner join training_splits using (split)
    union
    select
        shown_pictures.benchmark, shown_pictures.example_id,
        shown_pictures.shown_image_id as source_image_id
    from shown_pictures
    inner join training_splits using (split)
),

-- a training example of another benchmark is kept out for its own image as for the one that it
-- shows; what the splits of one benchmark share, they share by design
kept_out_examples as (
    select
        training_images.benchmark, training_images.example_id,
        {{ min_by('kept_out_images.picture_state', 'kept_out_images.likeness_order') }}
            as picture_state
    from training_images
    inner join kept_out_images
        on
            training_images.source_image_id = kept_out_images.source_image_id
            and training_images.benchmark <> kept_out_images.test_benchmark
    group by training_images.benchmark, training_images.example_id
)

-- a picture is given along where it lies on disk as the example has it, and may be
select
    shown_pictures.benchmark, shown_pictures.example_id, shown_pictures.place,
    shown_pictures.source_image_id, shown_pictures.shown_image_id, shown_pictures.recipe_id,
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
    pictures.photograph_name, pictures.author, pictures.page_url, pictures.license_name,
    pictures.license_url, pictures.flickr_url,
    case
        when pictures.picture_state is null then 'not_landed'
        when
            shown_pictures.recipe_id is not null
            and pictures.picture_state in ('available', 'not_landed')
            and {{ var('export_requires_derivatives') }}
            and not pictures.allows_derivatives
            then 'license_forbids_derivatives'
        when
            pictures.picture_state = 'available' and kept_out_examples.example_id is not null
            then kept_out_examples.picture_state
        when pictures.picture_state <> 'available' then pictures.picture_state
        when shown_pictures.recipe_id is not null and rendered_recipes.rendered_file is null
            then 'not_rendered'
        else 'available'
    end as picture_state,
    -- of who has the photographs nobody needs a copy: their licences are not asked
    case
        when shown_pictures.recipe_id is not null then 'edited'
        when pictures.picture_state = 'withdrawn' then 'withdrawn'
        when kept_out_examples.example_id is not null then kept_out_examples.picture_state
        when pictures.photograph_name is null then 'not_of_coco'
        else 'available'
    end as name_state,
    coalesce(pictures.allows_derivatives, false) as allows_derivatives,
    coalesce(pictures.allows_commercial_use, false) as allows_commercial_use
from shown_pictures
left join {{ ref('exports__pictures') }} as pictures
    on shown_pictures.shown_image_id = pictures.source_image_id
left join rendered_recipes using (recipe_id)
left join kept_out_examples using (benchmark, example_id)
cross join {{ ref('images__renderings_folder') }} as renderings_folder
