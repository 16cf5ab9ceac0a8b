{#-
    The condition of a benchmark that an answer under one modality alone belongs to: an answer to
    `conflicting_text_only` is to an example of `conflicting`, one to `text_only` of `default`.
-#}
{% macro whole_condition(condition) -%}
    coalesce(
        nullif({{ regexp_replace(condition, '_?(text|picture)_only$', '') }}, ''), 'default'
    )
{%- endmacro %}


{#- What a model saw under a condition: `both`, `text` or `picture`. -#}
{% macro shown_modality(condition) -%}
    case
        when {{ regexp_matches(condition, '(^|_)text_only$') }} then 'text'
        when {{ regexp_matches(condition, '(^|_)picture_only$') }} then 'picture'
        else 'both'
    end
{%- endmacro %}
