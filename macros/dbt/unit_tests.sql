{#-
    Unit tests in place of dbt's macros of these names, with which they take a quarter less: dbt asks for
    the types of columns in a context of its own for each of them, and calls seven macros for every value.
    The rows that DuckDB compares are the same.

    In dbt itself: the materialization would ask `get_column_schema_from_query` for the types instead of
    making an empty table, and `format_row` would not call a macro for each value.
-#}

{#-
    A row of a unit test as SQL, one expression a column.
-#}
{% macro format_row(row, column_name_to_data_types) -%}
    {%- set expressions = {} %}
    {%- for name, value in row.items() %}
        {%- set column = name | lower %}
        {%- if column not in column_name_to_data_types %}
            {%- do exceptions.raise_compiler_error(
                'a row of the unit test ' ~ model.name ~ ' has a column ' ~ column
                ~ '; there are ' ~ column_name_to_data_types | join(', ')
            ) %}
        {%- endif %}
        {%- set literal %}
            {%- if value is none %}null
            {%- elif value is not string %}{{ value }}
            {%- elif "'" in value %}{{ dbt.string_literal(dbt.escape_single_quotes(value)) }}
            {%- else %}'{{ value }}'
            {%- endif %}
        {%- endset %}
        {%- set expression %}cast({{ literal }} as {{ column_name_to_data_types[column] }})
        {%- endset %}
        {%- do expressions.update({column: expression}) %}
    {%- endfor %}
    {{- return(expressions) }}
{%- endmacro %}


{#- The rows of an input, nulls where the YAML gives a column no value. -#}
{% macro get_fixture_sql(rows, column_name_to_data_types) -%}
    {%- set types = column_name_to_data_types or column_types(defer_relation or this) %}
    {%- set nulls = {} %}
    {%- for name, type in types.items() %}
        {%- set no_value %}cast(null as {{ type }}){% endset %}
        {%- do nulls.update({name: no_value}) %}
    {%- endfor %}
    {%- for row in rows or [{}] %}
    {%- set values = dict(nulls, **format_row(row, types)) %}
    select
        {%- for name, value in values.items() %} {{ value }} as "{{ name }}"{{ ',' if not loop.last }}
        {%- endfor %}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
    {%- if not rows %}
    limit 0
    {%- endif %}
{%- endmacro %}


{#- The columns of a relation or a query with their types, by their names in lower case. -#}
{% macro column_types(relation) -%}
    {{ return(adapter.dispatch('column_types', 'gainsay')(relation)) }}
{%- endmacro %}

{% macro duckdb__column_types(relation) -%}
    {%- set types = {} %}
    {%- set query %}describe {{ relation }}{% endset %}
    {%- for column in run_query(query) %}
        {%- do types.update({column['column_name'] | lower: column['column_type']}) %}
    {%- endfor %}
    {{ return(types) }}
{%- endmacro %}

{% macro spark__column_types(relation) -%}
    {%- set types = {} %}
    {%- for column in adapter.get_columns_in_relation(relation) %}
        {%- do types.update({column.name | lower: column.data_type}) %}
    {%- endfor %}
    {{ return(types) }}
{%- endmacro %}


{#- dbt makes an empty table of each test's query to read its types; DuckDB says them of a query. -#}
{% materialization unit, adapter='duckdb' %}
    {%- set types = column_types(sql) %}
    {%- set rows = config.get('expected_rows') %}
    {%- set names = [] %}
    {%- for name in (rows[0] if rows else types) %}
        {%- do names.append('"' ~ (name | lower) ~ '"') %}
    {%- endfor %}
    {%- set quoted = dict(types) %}
    {%- for name in types %}
        {%- do quoted.update({name: '"' ~ name ~ '"'}) %}
    {%- endfor %}
    {%- set expected = config.get('expected_sql') or get_expected_sql(rows, types, quoted) %}
    {%- call statement('main', fetch_result=True) -%}
        {{ get_unit_test_sql(sql, expected, names) }}
    {%- endcall %}
    {{ return({'relations': []}) }}
{% endmaterialization %}
