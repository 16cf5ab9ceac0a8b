{#-
    What the quality gates of VLM Reality Check find: one row a check, `gate_id`, `check_name`,
    `measured`, `is_passed`.
-#}

{#- A check that counts rows: of what is wrong there are none, of what is asked for enough. -#}
{% macro counted_check(gate_id, check_name, rows, least=0, most=0) -%}
    select
        '{{ gate_id }}' as gate_id,
        '{{ check_name }}' as check_name,
        cast(count(*) as string) as measured,
        count(*) >= {{ least }}
        {%- if most is not none %}
        and count(*) <= {{ most }}
        {%- endif %} as is_passed
    from {{ rows }}
{%- endmacro %}


{#- A check of what the project is configured to: the values as text, in any order. -#}
{% macro configured_check(gate_id, check_name, values, expected) -%}
    {%- set measured = values | map('string') | sort | join(', ') -%}
    select
        '{{ gate_id }}' as gate_id,
        '{{ check_name }}' as check_name,
        {{ text_literal(measured) }} as measured,
        {{ text_literal(measured) }} = '{{ expected | join(', ') }}' as is_passed
{%- endmacro %}


{#- Where the sun stands over New York at noon in midsummer; a unit test says what a wrong one does. -#}
{% macro sun_fixture() -%}
    gs_sun(
        '2024-06-21T12:00:00',
        cast(null as int),
        cast(null as string),
        cast(40.7128 as double),
        cast(-74.0060 as double),
        {{ text_literal(var('sun_method')) }}
    )
{%- endmacro %}
