{#- What every `default__` form says: a missing capability raises, it never guesses. -#}
{% macro missing_on_this_engine(capability) -%}
    {{ exceptions.raise_compiler_error(
        "gainsay's `" ~ capability ~ "` has no form for " ~ target.type
        ~ ": add " ~ target.type ~ "__" ~ capability ~ " in macros/cross_engine/"
    ) }}
{%- endmacro %}
