{#- The pixels that two boxes share. A box is a list: left, top, width, height. -#}
{% macro box_intersection(one, other) -%}
    greatest(
        0,
        least(
            {{ list_extract(one, 1) }} + {{ list_extract(one, 3) }},
            {{ list_extract(other, 1) }} + {{ list_extract(other, 3) }}
        )
        - greatest({{ list_extract(one, 1) }}, {{ list_extract(other, 1) }})
    )
    * greatest(
        0,
        least(
            {{ list_extract(one, 2) }} + {{ list_extract(one, 4) }},
            {{ list_extract(other, 2) }} + {{ list_extract(other, 4) }}
        )
        - greatest({{ list_extract(one, 2) }}, {{ list_extract(other, 2) }})
    )
{%- endmacro %}


{#- The pixels of a box, which is a list: left, top, width, height. -#}
{% macro box_area(box) -%}
    {{ list_extract(box, 3) }} * {{ list_extract(box, 4) }}
{%- endmacro %}
