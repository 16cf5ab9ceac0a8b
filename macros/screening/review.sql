{#-
    A text that readers of the review see, as a JSON object: `label` stands above it, `marks` are ranges
    of its characters that are marked. Null where there is no text.
-#}
{% macro shown_text(label, text, marks=none, language="'en'", direction="'ltr'") -%}
    case
        when {{ text }} is not null
            then {{ json_object(
                label=label,
                text=text,
                marks=marks or empty_list('bigint'),
                language=language,
                direction=direction
            ) }}
    end
{%- endmacro %}


{#- The texts of a record, each by `shown_text`, in the order of a page: the column `texts`. -#}
{% macro shown_texts() -%}
    {{ json_list(list_value(*varargs)) }}
{%- endmacro %}
