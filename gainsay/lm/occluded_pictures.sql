-- what a vision judge is asked: occluded pictures that are rendered, each with its question and
-- without any text beside it
select
    screened.judged_picture_id as input_id,
    screened.question,
    renderings.rendered_file as picture
from occlusions.occlusions__screened as screened
inner join occlusions.occlusions__renderings as renderings
    on screened.example_id = renderings.recipe_id
where screened.is_retained and renderings.rendered_file is not null
