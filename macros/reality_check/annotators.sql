{#- How the annotators of VLM Reality Check look at landed pictures: with limits, and each content once. -#}

{#-
    What a function finds in each picture of a relation with `path`, `archive` and `sha256`: one row
    `image_sha256, finding`. It keeps what it found by the picture's SHA-256, so that it takes no time
    of a picture that it looked at before; with `network`, by that file's content, too.
-#}
{% macro look_at(pictures, function, network=none) -%}
    select
        sha256 as image_sha256,
        {{ function }}(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}
            {%- if network %}, {{ network }}{% endif %}
        ) as finding
    from (select {{ spread_over_tasks() }} * from {{ pictures }}) as spread_pictures
{%- endmacro %}
