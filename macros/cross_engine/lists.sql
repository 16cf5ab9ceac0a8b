{#-
    Lists. One macro per function that engines spell differently.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/list
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#array-functions
-#}

{#- The elements of `list` for which `condition` holds; `element` is its name in there. -#}
{% macro list_where(list, element, condition) -%}
    {{ return(adapter.dispatch('list_where', 'gainsay')(list, element, condition)) }}
{%- endmacro %}

{% macro default__list_where(list, element, condition) -%}
    {{ missing_on_this_engine('list_where') }}
{%- endmacro %}

{% macro duckdb__list_where(list, element, condition) -%}
    list_filter({{ list }}, lambda {{ element }}: {{ condition }})
{%- endmacro %}

{% macro spark__list_where(list, element, condition) -%}
    filter({{ list }}, {{ element }} -> {{ condition }})
{%- endmacro %}


{#- `expression` of every element of `list`, in order. -#}
{% macro list_map(list, element, expression) -%}
    {{ return(adapter.dispatch('list_map', 'gainsay')(list, element, expression)) }}
{%- endmacro %}

{% macro default__list_map(list, element, expression) -%}
    {{ missing_on_this_engine('list_map') }}
{%- endmacro %}

{% macro duckdb__list_map(list, element, expression) -%}
    list_transform({{ list }}, lambda {{ element }}: {{ expression }})
{%- endmacro %}

{% macro spark__list_map(list, element, expression) -%}
    transform({{ list }}, {{ element }} -> {{ expression }})
{%- endmacro %}


{#- The distinct elements of `list`, in ascending order. -#}
{% macro list_unique(list) -%}
    {{ return(adapter.dispatch('list_unique', 'gainsay')(list)) }}
{%- endmacro %}

{% macro default__list_unique(list) -%}
    {{ missing_on_this_engine('list_unique') }}
{%- endmacro %}

{% macro duckdb__list_unique(list) -%}
    list_sort(list_distinct({{ list }}))
{%- endmacro %}

{% macro spark__list_unique(list) -%}
    sort_array(array_compact(array_distinct({{ list }})))
{%- endmacro %}


{#- The elements of the set `left_list` that `right_list` holds, too, in the set's order. -#}
{% macro list_common(left_list, right_list) -%}
    {{ return(adapter.dispatch('list_common', 'gainsay')(left_list, right_list)) }}
{%- endmacro %}

{% macro default__list_common(left_list, right_list) -%}
    {{ missing_on_this_engine('list_common') }}
{%- endmacro %}

{% macro duckdb__list_common(left_list, right_list) -%}
    {#- on short lists several times as fast as list_intersect, which hashes them -#}
    list_filter({{ left_list }}, lambda shared: list_contains({{ right_list }}, shared))
{%- endmacro %}

{% macro spark__list_common(left_list, right_list) -%}
    filter({{ left_list }}, shared -> array_contains({{ right_list }}, shared))
{%- endmacro %}


{#- How many elements two sets share: lists without repetitions. -#}
{% macro n_common(left_list, right_list) -%}
    {{ return(adapter.dispatch('n_common', 'gainsay')(left_list, right_list)) }}
{%- endmacro %}

{% macro default__n_common(left_list, right_list) -%}
    {{ missing_on_this_engine('n_common') }}
{%- endmacro %}

{% macro duckdb__n_common(left_list, right_list) -%}
    len({{ list_common(left_list, right_list) }})
{%- endmacro %}

{% macro spark__n_common(left_list, right_list) -%}
    cast(array_size(array_intersect({{ left_list }}, {{ right_list }})) as bigint)
{%- endmacro %}


{#- Whether `element` is in `list`. -#}
{% macro list_has(list, element) -%}
    {{ return(adapter.dispatch('list_has', 'gainsay')(list, element)) }}
{%- endmacro %}

{% macro default__list_has(list, element) -%}
    {{ missing_on_this_engine('list_has') }}
{%- endmacro %}

{% macro duckdb__list_has(list, element) -%}
    list_contains({{ list }}, {{ element }})
{%- endmacro %}

{% macro spark__list_has(list, element) -%}
    array_contains({{ list }}, {{ element }})
{%- endmacro %}


{#- The number of elements of `list`; 0 for an empty one. -#}
{% macro list_size(list) -%}
    {{ return(adapter.dispatch('list_size', 'gainsay')(list)) }}
{%- endmacro %}

{% macro default__list_size(list) -%}
    {{ missing_on_this_engine('list_size') }}
{%- endmacro %}

{% macro duckdb__list_size(list) -%}
    len({{ list }})
{%- endmacro %}

{% macro spark__list_size(list) -%}
    cast(array_size({{ list }}) as bigint)
{%- endmacro %}


{#- The element of `list` at `position`, counted from 1; null beyond its ends. -#}
{% macro list_at(list, position) -%}
    {{ return(adapter.dispatch('list_at', 'gainsay')(list, position)) }}
{%- endmacro %}

{% macro default__list_at(list, position) -%}
    {{ missing_on_this_engine('list_at') }}
{%- endmacro %}

{% macro duckdb__list_at(list, position) -%}
    {%- if position is number %}
    list_extract({{ list }}, {{ position }})
    {%- else %}
    {#- DuckDB counts what is below 1 from the end -#}
    list_extract({{ list }}, case when {{ position }} > 0 then {{ position }} end)
    {%- endif %}
{%- endmacro %}

{% macro spark__list_at(list, position) -%}
    get({{ list }}, cast({{ position }} - 1 as int))
{%- endmacro %}


{#- The position of the first `element` in `list`, counted from 1; null when absent. -#}
{% macro list_find(list, element) -%}
    {{ return(adapter.dispatch('list_find', 'gainsay')(list, element)) }}
{%- endmacro %}

{% macro default__list_find(list, element) -%}
    {{ missing_on_this_engine('list_find') }}
{%- endmacro %}

{% macro duckdb__list_find(list, element) -%}
    nullif(list_position({{ list }}, {{ element }}), 0)
{%- endmacro %}

{% macro spark__list_find(list, element) -%}
    nullif(array_position({{ list }}, {{ element }}), 0)
{%- endmacro %}


{#- The elements of a list of texts, joined; nulls are left out, of nothing else comes null. -#}
{% macro list_text(list, separator) -%}
    {{ return(adapter.dispatch('list_text', 'gainsay')(list, separator)) }}
{%- endmacro %}

{% macro default__list_text(list, separator) -%}
    {{ missing_on_this_engine('list_text') }}
{%- endmacro %}

{% macro duckdb__list_text(list, separator) -%}
    array_to_string({{ list }}, {{ separator }})
{%- endmacro %}

{% macro spark__list_text(list, separator) -%}
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

{% macro default__list_head(list, length) -%}
    {{ missing_on_this_engine('list_head') }}
{%- endmacro %}

{% macro duckdb__list_head(list, length) -%}
    list_slice({{ list }}, 1, case when {{ length }} >= 0 then {{ length }} end)
{%- endmacro %}

{% macro spark__list_head(list, length) -%}
    case when {{ length }} >= 0 then slice({{ list }}, 1, cast({{ length }} as int)) end
{%- endmacro %}


{#- One row per element of `list`, in a select list. -#}
{% macro each(list) -%}
    {{ return(adapter.dispatch('each', 'gainsay')(list)) }}
{%- endmacro %}

{% macro default__each(list) -%}
    {{ missing_on_this_engine('each') }}
{%- endmacro %}

{% macro duckdb__each(list) -%}
    unnest({{ list }})
{%- endmacro %}

{% macro spark__each(list) -%}
    explode({{ list }})
{%- endmacro %}


{#-
    One row per element of `list`, in a select list: the element as the column `value`, and its
    place, counted from 1, as the column `place`. Two `each` side by side would be the same on
    DuckDB, and every element at every place on Spark.
-#}
{% macro each_with_place(list, value, place) -%}
    {{ return(adapter.dispatch('each_with_place', 'gainsay')(list, value, place)) }}
{%- endmacro %}

{% macro default__each_with_place(list, value, place) -%}
    {{ missing_on_this_engine('each_with_place') }}
{%- endmacro %}

{% macro duckdb__each_with_place(list, value, place) -%}
    {{ each(list) }} as {{ value }},
        {{ each(series(1, list_size(list))) }} as {{ place }}
{%- endmacro %}

{% macro spark__each_with_place(list, value, place) -%}
    inline(transform(
        {{ list }},
        (element, index) -> named_struct('element', element, 'place', cast(index + 1 as bigint))
    )) as ({{ value }}, {{ place }})
{%- endmacro %}


{#- A list of the given values, nulls left out. -#}
{% macro list_of() -%}
    {{ return(adapter.dispatch('list_of', 'gainsay')(varargs)) }}
{%- endmacro %}

{% macro default__list_of(values) -%}
    {{ missing_on_this_engine('list_of') }}
{%- endmacro %}

{% macro duckdb__list_of(values) -%}
    list_filter([{{ values | join(', ') }}], lambda value: value is not null)
{%- endmacro %}

{% macro spark__list_of(values) -%}
    array_compact(array({{ values | join(', ') }}))
{%- endmacro %}


{#- The integers from `first` to `last`, both included, as a list. -#}
{% macro series(first, last) -%}
    {{ return(adapter.dispatch('series', 'gainsay')(first, last)) }}
{%- endmacro %}

{% macro default__series(first, last) -%}
    {{ missing_on_this_engine('series') }}
{%- endmacro %}

{% macro duckdb__series(first, last) -%}
    generate_series({{ first }}, {{ last }})
{%- endmacro %}

{% macro spark__series(first, last) -%}
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

{% macro default__empty_list(element_type) -%}
    {{ missing_on_this_engine('empty_list') }}
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

{% macro default__list_concat(left_list, right_list) -%}
    {{ missing_on_this_engine('list_concat') }}
{%- endmacro %}

{% macro duckdb__list_concat(left_list, right_list) -%}
    list_concat({{ left_list }}, {{ right_list }})
{%- endmacro %}

{% macro spark__list_concat(left_list, right_list) -%}
    concat({{ left_list }}, {{ right_list }})
{%- endmacro %}


{#- The elements of `list` from position `first` to `last`, both counted from 1 and included. -#}
{% macro list_part(list, first, last) -%}
    {{ return(adapter.dispatch('list_part', 'gainsay')(list, first, last)) }}
{%- endmacro %}

{% macro default__list_part(list, first, last) -%}
    {{ missing_on_this_engine('list_part') }}
{%- endmacro %}

{% macro duckdb__list_part(list, first, last) -%}
    list_slice({{ list }}, {{ first }}, {{ last }})
{%- endmacro %}

{% macro spark__list_part(list, first, last) -%}
    slice({{ list }}, cast({{ first }} as int), cast(greatest(0, {{ last }} - ({{ first }}) + 1) as int))
{%- endmacro %}
