{#-
    Places in one order over many rows. DuckDB sorts them with all its cores; Spark gives each window
    without a partition to one task, and so each partition, however large.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/window_functions
    Spark: https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-window.html
-#}

{#-
    The rows of `relation` with their place in seeded order, `seeded_place` from 0, and `n_places`,
    how many there are; both within the values of the columns `partition_by`, where some are named.
    Where `counted` is named, only rows in which it is true have places of their own: any other
    stands on the last before it, and on -1 where there is none.
-#}
{% macro seeded_places(
    relation, purpose, key, partition_by=[], seed_var='seed', counted=none
) -%}
    {{ return(adapter.dispatch('seeded_places', 'gainsay')(
        relation, seeded_order(purpose, key, seed_var), key, partition_by, counted
    )) }}
{%- endmacro %}

{% macro duckdb__seeded_places(relation, seeded_digits, key, partition_by, counted) -%}
    {%- set partition %}{% if partition_by %}partition by {{ partition_by | join(', ') }}{% endif %}
    {%- endset %}
    select
        *,
        {{ running_count(counted) }} over (
            {{ partition }} order by {{ seeded_digits }}, {{ key }}
            {%- if counted %} rows between unbounded preceding and current row{% endif %}
        ) - 1 as seeded_place,
        {{ count_of(counted) }} over ({{ partition }}) as n_places
    from {{ relation }}
{%- endmacro %}

{#-
    Ranges of the order first: what comes before a range is counted, and only within it are rows
    sorted. The first three hexadecimal digits make 4,096 ranges of about equal size.
-#}
{% macro spark__seeded_places(relation, seeded_digits, key, partition_by, counted) -%}
    {%- set further_keys = [''] + partition_by %}
    {%- set partition %}{% if partition_by %}partition by {{ partition_by | join(', ') }}{% endif %}
    {%- endset %}
    with

    ranged_rows as (
        select
            *,
            {{ seeded_digits }} as seeded_digits,
            substr({{ seeded_digits }}, 1, 3) as seeded_range
        from {{ relation }}
    ),

    ranges as (
        select
            seeded_range {{- further_keys | join(', ') }},
            {{ count_of(counted) }} as n_in_range
        from ranged_rows
        group by seeded_range {{- further_keys | join(', ') }}
    ),

    counted_ranges as (
        select
            seeded_range {{- further_keys | join(', ') }},
            sum(n_in_range) over ({{ partition }} order by seeded_range) - n_in_range as n_before,
            sum(n_in_range) over ({{ partition }}) as n_places
        from ranges
    )

    select
        ranged_rows.* except (seeded_digits, seeded_range),
        counted_ranges.n_before + {{ running_count(counted) }} over (
            partition by ranged_rows.seeded_range
                {%- for column in partition_by %}, ranged_rows.{{ column }}{% endfor %}
            order by ranged_rows.seeded_digits, ranged_rows.{{ key }}
            {%- if counted %} rows between unbounded preceding and current row{% endif %}
        ) - 1 as seeded_place,
        counted_ranges.n_places
    from ranged_rows
    inner join counted_ranges
        on
            ranged_rows.seeded_range = counted_ranges.seeded_range
            {%- for column in partition_by %}
            and ranged_rows.{{ column }} <=> counted_ranges.{{ column }}
            {%- endfor %}
{%- endmacro %}


{#- How many rows have places of their own: all of them where no column is named. -#}
{% macro count_of(counted=none) -%}
    {%- if counted -%}
        count(case when {{ counted }} then 1 end)
    {%- else -%}
        count(*)
    {%- endif -%}
{%- endmacro %}


{#- The function of a window that numbers those rows, from 1. -#}
{% macro running_count(counted=none) -%}
    {%- if counted -%}
        {{ count_of(counted) }}
    {%- else -%}
        row_number()
    {%- endif -%}
{%- endmacro %}
