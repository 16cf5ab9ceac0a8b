{#-
    Every choice that looks random is an order or an integer derived from
    md5('<seed>:<purpose>:<key>'): it depends on the key alone, never on row order,
    threads, engine or machine. The seed is the var `seed`, or another var that is named.
-#}

{#- 32 hexadecimal digits to order by. Ties are broken by the key itself. -#}
{% macro seeded_order(purpose, key, seed_var='seed') -%}
    md5('{{ var(seed_var) }}:{{ purpose }}:' || {{ key }})
{%- endmacro %}


{#- The first 8 hexadecimal digits as an integer, modulo `k`: 0 .. k - 1. -#}
{% macro seeded_int(purpose, key, k, seed_var='seed') -%}
    {%- set digits %}substr({{ seeded_order(purpose, key, seed_var) }}, 1, 8){% endset -%}
    ({{ hex_to_bigint(digits) }} % {{ k }})
{%- endmacro %}


{#- The first 15 hexadecimal digits as a bigint: as good an order, and what functions draw from. -#}
{% macro seeded_key(purpose, key) -%}
    {%- set digits %}substr({{ seeded_order(purpose, key) }}, 1, 15){% endset -%}
    {{ hex_to_bigint(digits) }}
{%- endmacro %}
