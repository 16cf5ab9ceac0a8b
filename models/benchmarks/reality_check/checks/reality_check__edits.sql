with
rendered_edits as (
    select
        recipes.recipe_id,
        recipes.seed_key as pair_id,
        recipes.family, recipes.parameters, recipes.rle, renderings.render_key, renderings.path,
        renderings.archive, renderings.image_sha256, renderings.rendered_file, renderings.sha256,
        renderings.error
    from {{ ref('reality_check__render_recipes') }} as recipes
    left join {{ ref('reality_check__renderings') }} as renderings
        on recipes.recipe_id = renderings.recipe_id
    -- a region that is drawn for readers is in no challenge
    where recipes.family <> 'region'
),

comparable_edits as (
    select {{ spread_over_tasks('image_sha256') }} * from rendered_edits
    where rendered_file is not null
),

checks as (
    select
        recipe_id,
        gs_check_edit(
            render_key, path, archive, image_sha256, rendered_file, sha256, family, parameters, rle,
            {{ renderings_folder() }}, {{ var('max_image_bytes') }}
        ) as finding
    from comparable_edits
)

select
    rendered_edits.recipe_id, rendered_edits.pair_id, rendered_edits.family,
    rendered_edits.rendered_file,
    case
        when rendered_edits.rendered_file is null
            then coalesce(rendered_edits.error, 'the picture was not rendered')
        else checks.finding.error
    end as error,
    checks.finding.n_changed_elsewhere as n_changed_elsewhere,
    checks.finding.n_changed_inside as n_changed_inside
from rendered_edits
left join checks using (recipe_id)
