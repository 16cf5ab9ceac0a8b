-- a view: an export reads it once, and most builds never
{{ config(materialized='view') }}

-- an export's card names the manifest's hashes: depends_on: {{ ref('conflict_suite__manifest') }}

with

examples as (

    select
        *,
        source_image_id as shown_image_id
    from {{ ref('conflict_suite__examples') }}

),

recipes as (

    select * from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}
    where error_kind is null

),

renderings_folder as (

    select * from {{ ref('images__renderings_folder') }}

),

rendered as (

    select
        recipes.recipe_id,
        renderings.rendered_file
    from recipes
    inner join renderings
        on recipes.render_key = renderings.render_key

),

pictures as (

    select * from {{ ref('exports__pictures') }}

),

-- a picture is given along where it lies on disk as the record has it, and may be
final as (

    select
        examples.example_id,
        examples.base_id,
        examples.variant_id,
        examples.question_id,
        examples.image_id,
        examples.source_image_id,
        examples.shown_image_id,
        examples.image_file,
        examples.text_input,
        examples.question,
        examples.gold_answer,
        examples.split,
        examples.family,
        examples.operator,
        examples.corrupt_modality,
        examples.vision_family,
        examples.severity,
        examples.answer_type,
        examples.oracle_action,
        examples.record_version,
        case
            when examples.vision_family is null then pictures.path
            else renderings_folder.folder || '/' || rendered.rendered_file
        end as image_path,
        case when examples.vision_family is null then pictures.archive end as image_archive,
        -- a rendered picture is known by its content, a photograph by its image
        'images/' || case
            when examples.vision_family is null
                then examples.shown_image_id || {{ file_suffix('pictures.path') }}
            else {{ file_name('rendered.rendered_file') }}
        end as image,
        pictures.license_name,
        pictures.license_url,
        pictures.flickr_url,
        case
            when pictures.picture_state is null then 'not_landed'
            when pictures.picture_state <> 'available' then pictures.picture_state
            when examples.vision_family is not null and rendered.rendered_file is null
                then 'not_rendered'
            else 'available'
        end as picture_state,
        coalesce(pictures.allows_derivatives, false) as allows_derivatives,
        coalesce(pictures.allows_commercial_use, false) as allows_commercial_use,
        concat_ws(
            chr(10),
            'Text: ' || examples.text_input,
            'Question: ' || examples.question,
            {{ text_literal(var('export_instruction')) }}
        ) as prompt,
        case
            when examples.oracle_action = 'abstain'
                then {{ text_literal(var('export_abstention')) }}
            else examples.gold_answer
        end as target
    from examples
    left join pictures
        on examples.shown_image_id = pictures.source_image_id
    left join rendered
        on examples.example_id = rendered.recipe_id
    cross join renderings_folder

)

select * from final
