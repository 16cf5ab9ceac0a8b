{#-
    Types of columns. Contracts and seeds spell them as DuckDB does, which other engines
    read by these macros; dbt asks for a contract's empty table by `get_empty_schema_sql`.
    DuckDB: https://duckdb.org/docs/stable/sql/data_types/overview
    Spark: https://spark.apache.org/docs/latest/sql-ref-datatypes.html
-#}

{#- A type as contracts and seeds spell it, in the engine's own words. -#}
{% macro engine_type(data_type) -%}
    {{ return(adapter.dispatch('engine_type', 'gainsay')(data_type)) }}
{%- endmacro %}

{% macro duckdb__engine_type(data_type) -%}
    {{ return(data_type) }}
{%- endmacro %}

{% macro spark__engine_type(data_type) -%}
    {%- if data_type.endswith('[]') -%}
        {%- set array_type %}array<{{ spark__engine_type(data_type[:-2]) }}>{% endset -%}
        {{ return(array_type) }}
    {%- endif -%}
    {%- if data_type.startswith('struct(') -%}
        {#- fields are of simple types, so no comma stands inside of one -#}
        {%- set fields = [] %}
        {%- for field in data_type[7:-1].split(',') %}
            {%- set name, field_type = field.split() %}
            {%- set spelled_field %}{{ name }}: {{ spark__engine_type(field_type) }}{% endset %}
            {%- do fields.append(spelled_field) %}
        {%- endfor %}
        {%- set struct_type %}struct<{{ fields | join(', ') }}>{% endset -%}
        {{ return(struct_type) }}
    {%- endif -%}
    {{ return({'varchar': 'string', 'text': 'string', 'integer': 'int'}.get(data_type, data_type)) }}
{%- endmacro %}


{#- The columns of a contract, as a query without rows. -#}
{% macro spark__get_empty_schema_sql(columns) -%}
    select
        {% for column in columns.values() -%}
        cast(null as {{ engine_type(column.data_type) }}) as {{ column.name }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    where false
{%- endmacro %}
