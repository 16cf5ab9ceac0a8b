{#-
    On run end: what models/staging/_sources.yml and models/audit/_sources.yml say of the tables that
    no model builds, as comments in the warehouse, where they are not there or say something else. On
    Spark a table has none.
-#}
{% macro comment_on_sources() %}
    {%- if execute and target.type == 'duckdb' %}
        {%- set kept = kept_comments() %}
        {%- set comments %}
            {%- for source in graph.sources.values() if source.schema ~ '.' ~ source.name in kept %}
                {%- set name = source.schema ~ '.' ~ source.name %}
                {%- set others = {} %}
                {%- for column in source.columns.values()
                    if kept[name].get(column.name, column.description | trim)
                    != column.description | trim %}
                    {%- do others.update({column.name: column}) %}
                {%- endfor %}
                {%- set is_told = kept[name]['table'] == source.description | trim %}
                {{ comments_on(name, 'table', '' if is_told else source.description, others) }}
            {%- endfor %}
        {%- endset %}
        {%- if comments | trim %}
            {%- do run_query(comments) %}
        {%- endif %}
    {%- endif %}
{% endmacro %}


{#-
    The comments of the tables of sources, by `<schema>.<table>`: by column, and that of the table as
    `table`. What has none is null.
-#}
{% macro kept_comments() -%}
    {%- set schemas = graph.sources.values() | map(attribute='schema') | unique | join("', '") %}
    {%- set query -%}
        select schema_name || '.' || table_name, 'table', comment
        from duckdb_tables()
        where database_name = current_database() and schema_name in ('{{ schemas }}')
        union all
        select schema_name || '.' || table_name, column_name, comment
        from duckdb_columns()
        where database_name = current_database() and schema_name in ('{{ schemas }}')
    {%- endset %}
    {%- set found = {} %}
    {%- for name, column, comment in run_query(query) %}
        {%- do found.setdefault(name, {}).update({column: comment}) %}
    {%- endfor %}
    {{ return(found) }}
{%- endmacro %}
