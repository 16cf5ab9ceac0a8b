{#-
    Lists. One macro per function that engines spell differently.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/list
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#array-functions
-#}

{#- The elements of `list` for which `condition` holds; `element` is its name in there. -#}
{% macro list_filter(list, element, condition) -%}
    {{ return(adapter.dispatch('list_filter', 'gainsay')(list, element, condition)) }}
{%- endmacro %}

{% macro duckdb__list_filter(list, element, condition) -%}
    list_filter({{ list }}, lambda {{ element }}: {{ condition }})
{%- endmacro %}

{% macro spark__list_filter(list, element, condition) -%}
    filter({{ list }}, {{ element }} -> {{ condition }})
{%- endmacro %}


{#- `expression` of every element of `list`, in order. -#}
{% macro list_transform(list, element, expression) -%}
    {{ return(adapter.dispatch('list_transform', 'gainsay')(list, element, expression)) }}
{%- endmacro %}

{% macro duckdb__list_transform(list, element, expression) -%}
    list_transform({{ list }}, lambda {{ element }}: {{ expression }})
{%- endmacro %}

{% macro spark__list_transform(list, element, expression) -%}
    transform({{ list }}, {{ element }} -> {{ expression }})
{%- endmacro %}


{#- The distinct elements of `list`, in ascending order. -#}
{% macro list_sort_distinct(list) -%}
    {{ return(adapter.dispatch('list_sort_distinct', 'gainsay')(list)) }}
{%- endmacro %}

{% macro duckdb__list_sort_distinct(list) -%}
    list_sort(list_distinct({{ list }}))
{%- endmacro %}

{% macro spark__list_sort_distinct(list) -%}
    sort_array(array_compact(array_distinct({{ list }})))
{%- endmacro %}


{#-
    The elements of the set `left_list` that `right_list` holds, too, in the set's order. On short lists
    several times as fast as what DuckDB has for it, which hashes them.
-#}
{% macro list_intersect(left_list, right_list) -%}
    {%- set is_shared %}array_contains({{ right_list }}, shared){% endset -%}
    {{ list_filter(left_list, 'shared', is_shared) }}
{%- endmacro %}


{#- How many elements two sets share: lists without repetitions. -#}
{% macro list_intersect_size(left_list, right_list) -%}
    {{ return(adapter.dispatch('list_intersect_size', 'gainsay')(left_list, right_list)) }}
{%- endmacro %}

{% macro duckdb__list_intersect_size(left_list, right_list) -%}
    len({{ list_intersect(left_list, right_list) }})
{%- endmacro %}

{% macro spark__list_intersect_size(left_list, right_list) -%}
    cast(array_size(array_intersect({{ left_list }}, {{ right_list }})) as bigint)
{%- endmacro %}


{#- The number of elements of `list`; 0 for an empty one. -#}
{% macro list_length(list) -%}
    {{ return(adapter.dispatch('list_length', 'gainsay')(list)) }}
{%- endmacro %}

{% macro duckdb__list_length(list) -%}
    len({{ list }})
{%- endmacro %}

{% macro spark__list_length(list) -%}
    cast(array_size({{ list }}) as bigint)
{%- endmacro %}


{#- The element of `list` at `position`, counted from 1; null beyond its ends. -#}
{% macro list_extract(list, position) -%}
    {{ return(adapter.dispatch('list_extract', 'gainsay')(list, position)) }}
{%- endmacro %}

{% macro duckdb__list_extract(list, position) -%}
    {%- if position is number %}
    list_extract({{ list }}, {{ position }})
    {%- else %}
    {#- DuckDB counts what is below 1 from the end -#}
    list_extract({{ list }}, case when {{ position }} > 0 then {{ position }} end)
    {%- endif %}
{%- endmacro %}

{% macro spark__list_extract(list, position) -%}
    get({{ list }}, cast({{ position }} - 1 as int))
{%- endmacro %}


{#- The position of the first `element` in `list`, counted from 1; null when absent, where Spark says 0. -#}
{% macro list_position(list, element) -%}
    nullif(array_position({{ list }}, {{ element }}), 0)
{%- endmacro %}


{#- The elements of a list of texts, joined; nulls are left out, of nothing else comes null. -#}
{% macro array_join(list, separator) -%}
    {{ return(adapter.dispatch('array_join', 'gainsay')(list, separator)) }}
{%- endmacro %}

{% macro duckdb__array_join(list, separator) -%}
    array_to_string({{ list }}, {{ separator }})
{%- endmacro %}

{% macro spark__array_join(list, separator) -%}
    case
        when array_size({{ list }}) = 0 then ''
        when array_size(array_compact({{ list }})) > 0
            then array_join({{ list }}, {{ separator }})
    end
{%- endmacro %}


{#- The first `length` elements of `list`; null where `length` is below 0. -#}
{% macro list_head(list, length) -%}
    {{ return(adapter.dispatch('list_head', 'gainsay')(list, length)) }}
{%- endmacro %}

{% macro duckdb__list_head(list, length) -%}
    list_slice({{ list }}, 1, case when {{ length }} >= 0 then {{ length }} end)
{%- endmacro %}

{% macro spark__list_head(list, length) -%}
    case when {{ length }} >= 0 then slice({{ list }}, 1, cast({{ length }} as int)) end
{%- endmacro %}


{#- One row per element of `list`, in a select list. -#}
{% macro unnest_list(list) -%}
    {{ return(adapter.dispatch('unnest_list', 'gainsay')(list)) }}
{%- endmacro %}

{% macro duckdb__unnest_list(list) -%}
    unnest({{ list }})
{%- endmacro %}

{% macro spark__unnest_list(list) -%}
    explode({{ list }})
{%- endmacro %}


{#-
    One row per element of `list`, in a select list: the element as the column `value`, and its
    place, counted from 1, as the column `place`. Two `each` side by side would be the same on
    DuckDB, and every element at every place on Spark.
-#}
{% macro unnest_list_with_position(list, value, place) -%}
    {{ return(adapter.dispatch('unnest_list_with_position', 'gainsay')(list, value, place)) }}
{%- endmacro %}

{% macro duckdb__unnest_list_with_position(list, value, place) -%}
    {{ unnest_list(list) }} as {{ value }},
        {{ unnest_list(integer_series(1, list_length(list))) }} as {{ place }}
{%- endmacro %}

{% macro spark__unnest_list_with_position(list, value, place) -%}
    inline(transform(
        {{ list }},
        (element, index) -> named_struct('element', element, 'place', cast(index + 1 as bigint))
    )) as ({{ value }}, {{ place }})
{%- endmacro %}


{#- A list of the given values, nulls left out. -#}
{% macro list_value() -%}
    {{ return(adapter.dispatch('list_value', 'gainsay')(varargs)) }}
{%- endmacro %}

{% macro duckdb__list_value(values) -%}
    list_filter([{{ values | join(', ') }}], lambda value: value is not null)
{%- endmacro %}

{% macro spark__list_value(values) -%}
    array_compact(array({{ values | join(', ') }}))
{%- endmacro %}


{#- A list of the given values, nulls among them. -#}
{% macro list_with_nulls() -%}
    {{ return(adapter.dispatch('list_with_nulls', 'gainsay')(varargs)) }}
{%- endmacro %}

{% macro duckdb__list_with_nulls(values) -%}
    [{{ values | join(', ') }}]
{%- endmacro %}

{% macro spark__list_with_nulls(values) -%}
    array({{ values | join(', ') }})
{%- endmacro %}


{#- The integers from `first` to `last`, both included, as a list. -#}
{% macro integer_series(first, last) -%}
    {{ return(adapter.dispatch('integer_series', 'gainsay')(first, last)) }}
{%- endmacro %}

{% macro duckdb__integer_series(first, last) -%}
    generate_series({{ first }}, {{ last }})
{%- endmacro %}

{% macro spark__integer_series(first, last) -%}
    {#- Spark would count down to a last integer below the first -#}
    case
        when {{ last }} >= {{ first }}
            then sequence(cast({{ first }} as bigint), cast({{ last }} as bigint))
    end
{%- endmacro %}


{#- A list of `element_type` without elements. -#}
{% macro empty_list(element_type) -%}
    {{ return(adapter.dispatch('empty_list', 'gainsay')(element_type)) }}
{%- endmacro %}

{% macro duckdb__empty_list(element_type) -%}
    cast([] as {{ element_type }}[])
{%- endmacro %}

{% macro spark__empty_list(element_type) -%}
    cast(array() as array<{{ element_type }}>)
{%- endmacro %}


{#- The elements of one list, then those of another. -#}
{% macro list_concat(left_list, right_list) -%}
    {{ return(adapter.dispatch('list_concat', 'gainsay')(left_list, right_list)) }}
{%- endmacro %}

{% macro duckdb__list_concat(left_list, right_list) -%}
    list_concat({{ left_list }}, {{ right_list }})
{%- endmacro %}

{% macro spark__list_concat(left_list, right_list) -%}
    concat({{ left_list }}, {{ right_list }})
{%- endmacro %}


{#- The elements of `list` from position `first` to `last`, both counted from 1 and included. -#}
{% macro list_slice(list, first, last) -%}
    {{ return(adapter.dispatch('list_slice', 'gainsay')(list, first, last)) }}
{%- endmacro %}

{% macro duckdb__list_slice(list, first, last) -%}
    list_slice({{ list }}, {{ first }}, {{ last }})
{%- endmacro %}

{% macro spark__list_slice(list, first, last) -%}
    slice({{ list }}, cast({{ first }} as int), cast(greatest(0, {{ last }} - ({{ first }}) + 1) as int))
{%- endmacro %}
