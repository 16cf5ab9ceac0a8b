{#- How the annotators of VLM Reality Check look at landed pictures: with limits, and each content once. -#}

{#-
    What a function finds in a picture, of `path`, `archive` and `sha256`. It keeps what it found by
    the picture's SHA-256, so that it takes no time of a picture that it looked at before; with
    `network`, the path of a file, by that file's content, too. Null where `is_wanted` is false, or
    `network` names no file.
-#}
{% macro finding_of(function, is_wanted=true, network=none) -%}
    case
            when {% if network is none %}{{ is_wanted }}{% else %}{{ text_literal(network) }} <> ''{% endif %}
                then
                    {{ function }}(
                        path, archive, sha256, {{ annotations_folder() }},
                        {{ var('max_image_bytes') }}
                        {%- if network is not none %}, {{ text_literal(network) }}{% endif %}
                    )
        end
{%- endmacro %}
