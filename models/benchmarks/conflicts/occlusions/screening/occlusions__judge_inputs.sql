-- a view: a few of its pictures are asked about, and nothing else reads it
{{ config(materialized='view') }}

select
    screened.judged_picture_id as input_id,
    screened.question,
    renderings.rendered_file as picture
from {{ ref('occlusions__screened') }} as screened
inner join {{ ref('occlusions__renderings') }} as renderings
    on screened.example_id = renderings.recipe_id
where screened.is_retained and renderings.rendered_file is not null
