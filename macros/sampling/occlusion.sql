{#-
    The box of a random occlusion: its share of the picture, its place by the seed key.
    Source: the specification of the corruption families.
-#}

{#- A side of the box: at least one pixel. -#}
{% macro occlusion_side(picture_side, area_fraction) -%}
    greatest(1, cast(floor({{ picture_side }} * sqrt({{ area_fraction }})) as bigint))
{%- endmacro %}


{#- Where the box begins along an axis (`x` or `y`), from 0. -#}
{% macro occlusion_start(axis, seed_key, picture_side, box_side) -%}
    {%- set n_places %}({{ picture_side }} - {{ box_side }} + 1){% endset -%}
    {{ seeded_int('occlusion_' ~ axis, seed_key, n_places) }}
{%- endmacro %}
