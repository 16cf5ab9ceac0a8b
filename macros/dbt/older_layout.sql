{#-
    Stop before anything is built in a warehouse of an older layout: its tables would stay beside
    the new ones under names that mean something else now.
-#}
{% macro require_this_layout() -%}
    {%- if execute %}
        {#- tables that every build of an older layout made, and that this one has not -#}
        {%- set older_tables = [
            ('vocabulary', 'drop_reasons'),
            ('conflict_suite', 'conflict_suite__caption_choice'),
            ('conflict_suite', 'conflict_suite__object_masks'),
        ] %}
        {%- for schema, table in older_tables
            if adapter.get_relation(target.database, schema, table) is not none %}
            {%- do exceptions.raise_compiler_error(
                'the warehouse ' ~ (target.database or target.name) ~ ' was built by an older layout: '
                ~ schema ~ '.' ~ table ~ ' is no table of this one. Remove the warehouse, or name '
                ~ 'another with GAINSAY_DB, then run `gainsay land '
                ~ ('--target ' ~ target.name ~ ' ' if target.name != 'dev') ~ 'PATH...` and build again'
            ) %}
        {%- endfor %}
    {%- endif %}
{%- endmacro %}
