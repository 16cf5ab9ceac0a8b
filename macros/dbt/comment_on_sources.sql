{#-
    On run end: what models/staging/_sources.yml and models/audit/_sources.yml say of the tables that
    no model builds, as comments in the warehouse, where they are not there or say something else. On
    Spark a table has none.
-#}
{% macro comment_on_sources() %}
    {%- if execute and target.type == 'duckdb' %}
        {%- set statements = [] %}
        {%- set kept = comments_by_column() %}
        {%- for source in graph.sources.values() %}
            {%- set there = kept.get(source.schema ~ '.' ~ source.identifier, {}) %}
            {%- set other = {} %}
            {%- for column in source.columns.values()
                if column.name in there and there[column.name] != column.description | trim %}
                {%- do other.update({column.name: column}) %}
            {%- endfor %}
            {%- set told = there and there[''] != source.description | trim %}
            {%- do statements.extend(comment_statements(
                source.schema ~ '.' ~ source.identifier, 'table',
                source.description if told else '', other
            )) %}
        {%- endfor %}
        {%- if statements %}
            {%- do run_query(statements | join(';\n')) %}
        {%- endif %}
    {%- endif %}
{% endmacro %}


{#-
    The comments of what sources name, by `<schema>.<table>` and column, of the table itself under
    the empty name; what has none is null.
-#}
{% macro comments_by_column() -%}
    {%- set schemas = graph.sources.values() | map(attribute='schema') | unique | join("', '") %}
    {%- set query -%}
        select schema_name || '.' || table_name, '', comment
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
