-- a view: an export reads it once, and most builds never
{{ config(materialized='view') }}

-- an export's card names the hashes of its benchmark's manifest
{%- for benchmark in var('benchmarks') %}
-- depends_on: {{ ref(benchmark ~ '__manifest') }}
{%- endfor %}

with

examples as (

    {{ union_of_exported_examples() }}

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

-- a picture is given along where it lies on disk as the record has it, and may be
final as (

    select
        examples.benchmark,
        examples.example_id,
        examples.group_id,
        examples.base_id,
        examples.variant_id,
        examples.question_id,
        examples.image_id,
        examples.source_image_id,
        examples.shown_image_id,
        examples.recipe_id,
        examples.image_file,
        examples.text_input,
        examples.question,
        examples.gold_answer,
        -- what has no splits is there to measure by
        coalesce(examples.split, {{ text_literal(var('export_split_of_unsplit')) }}) as split,
        examples.family,
        examples.operator,
        examples.corrupt_modality,
        rendered_recipes.family as vision_family,
        coalesce(examples.severity, rendered_recipes.severity) as severity,
        examples.answer_type,
        examples.oracle_action,
        examples.record_version,
        case
            when examples.recipe_id is null then pictures.path
            else renderings_folder.folder || '/' || rendered_recipes.rendered_file
        end as image_path,
        case when examples.recipe_id is null then pictures.archive end as image_archive,
        -- a rendered picture is known by its content, a photograph by its image
        'images/' || case
            when examples.recipe_id is null
                then examples.shown_image_id || {{ file_suffix('pictures.path') }}
            else {{ file_name('rendered_recipes.rendered_file') }}
        end as image,
        pictures.license_name,
        pictures.license_url,
        pictures.flickr_url,
        case
            when pictures.picture_state is null then 'not_landed'
            when pictures.picture_state <> 'available' then pictures.picture_state
            when examples.recipe_id is not null and rendered_recipes.rendered_file is null
                then 'not_rendered'
            else 'available'
        end as picture_state,
        coalesce(pictures.allows_derivatives, false) as allows_derivatives,
        coalesce(pictures.allows_commercial_use, false) as allows_commercial_use,
        concat_ws(
            chr(10),
            'Text: ' || examples.text_input,
            'Question: ' || examples.question,
            coalesce(examples.instruction, {{ text_literal(var('export_instruction')) }})
        ) as prompt,
        coalesce(
            examples.target, examples.answer, {{ text_literal(var('export_abstention')) }}
        ) as target,
        -- what the right answer is preferred to
        coalesce(
            examples.other_answer,
            case
                when examples.target is null then examples.gold_answer
                else {{ text_literal(var('export_abstention')) }}
            end
        ) as rejected,
        examples.target is null as is_abstention_right
    from examples
    left join pictures
        on examples.shown_image_id = pictures.source_image_id
    left join rendered_recipes
        on
            examples.benchmark = rendered_recipes.benchmark
            and examples.recipe_id = rendered_recipes.recipe_id
    cross join renderings_folder

)

select * from final
