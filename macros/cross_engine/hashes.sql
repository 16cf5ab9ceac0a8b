{#-
    Hashes as lower-case hexadecimal text.
    DuckDB: https://duckdb.org/docs/stable/sql/functions/text
    Spark: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#hash-functions
-#}

{#- SHA-256 of a text's UTF-8 bytes. -#}
{% macro sha256_hex(text) -%}
    {{ return(adapter.dispatch('sha256_hex', 'gainsay')(text)) }}
{%- endmacro %}

{% macro duckdb__sha256_hex(text) -%}
    sha256({{ text }})
{%- endmacro %}

{% macro spark__sha256_hex(text) -%}
    sha2({{ text }}, 256)
{%- endmacro %}


{#- The bigint that up to 15 hexadecimal digits stand for. -#}
{% macro hex_to_bigint(digits) -%}
    {{ return(adapter.dispatch('hex_to_bigint', 'gainsay')(digits)) }}
{%- endmacro %}

{% macro duckdb__hex_to_bigint(digits) -%}
    cast('0x' || {{ digits }} as bigint)
{%- endmacro %}

{% macro spark__hex_to_bigint(digits) -%}
    cast(conv({{ digits }}, 16, 10) as bigint)
{%- endmacro %}
