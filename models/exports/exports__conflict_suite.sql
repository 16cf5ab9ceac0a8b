-- a view: an export reads it once, and most builds never
{{ config(materialized='view') }}

with

examples as (

    select
        *,
        -- an irrelevant picture is another image's
        coalesce(image_donor_id, source_image_id) as shown_image_id
    from {{ ref('conflict_suite__examples') }}

),

recipes as (

    select * from {{ ref('images__recipes') }}

),

renderings as (

    select * from {{ ref('images__renderings') }}
    where error_kind is null

),

rendered as (

    select
        recipes.recipe_id,
        renderings.rendered_file
    from recipes
    inner join renderings
        on recipes.render_key = renderings.render_key

),

images as (

    select * from {{ ref('images__source_images') }}

),

files as (

    select
        source_image_id,
        path,
        archive
    from {{ ref('images__files') }}

),

-- the COCO files repeat the same list of licences
licenses as (

    select
        license_id,
        {{ first_by('license_name', 'source_file') }} as license_name,
        {{ first_by('license_url', 'source_file') }} as license_url
    from {{ ref('stg_coco__licenses') }}
    group by license_id

),

license_terms as (

    select * from {{ ref('license_terms') }}

),

-- an unknown licence allows nothing
licensed as (

    select
        images.source_image_id,
        images.flickr_url,
        licenses.license_name,
        licenses.license_url,
        coalesce(license_terms.allows_derivatives, false) as allows_derivatives,
        coalesce(license_terms.allows_commercial_use, false) as allows_commercial_use
    from images
    left join licenses
        on images.license_id = licenses.license_id
    left join license_terms
        on licenses.license_url = license_terms.license_url

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
            when examples.vision_family is null then files.path
            else
                '{{ env_var("GAINSAY_RENDERINGS", "data/renderings") }}/'
                || rendered.rendered_file
        end as image_path,
        case when examples.vision_family is null then files.archive end as image_archive,
        licensed.license_name,
        licensed.license_url,
        licensed.flickr_url,
        case
            when
                {{ var('export_requires_derivatives') }}
                and not coalesce(licensed.allows_derivatives, false)
                then 'license_forbids_derivatives'
            when
                {{ var('export_requires_commercial_use') }}
                and not coalesce(licensed.allows_commercial_use, false)
                then 'license_forbids_commercial_use'
            when files.path is null then 'not_landed'
            when examples.vision_family is not null and rendered.rendered_file is null
                then 'not_rendered'
            else 'available'
        end as picture_state,
        coalesce(licensed.allows_derivatives, false) as allows_derivatives,
        coalesce(licensed.allows_commercial_use, false) as allows_commercial_use
    from examples
    left join licensed
        on examples.shown_image_id = licensed.source_image_id
    left join files
        on examples.shown_image_id = files.source_image_id
    left join rendered
        on examples.example_id = rendered.recipe_id

)

select * from final
