-- a photograph, and what is rendered of it without an object: a language model may write a question
-- for the two; questions about the same object share their pictures
select
    removals.source_image_id || '::' || removals.object_name as input_id,
    removals.object_name,
    min(renderings.path) as photograph,
    min(renderings.rendered_file) as picture
from certainly_uncertain.certainly_uncertain__removals as removals
inner join certainly_uncertain.certainly_uncertain__renderings as renderings
    on removals.pair_id || '::unanswerable' = renderings.recipe_id
where renderings.rendered_file is not null
group by removals.source_image_id, removals.object_name
