{#- the fields of a collected image, and those that its table lacks -#}
{%- set fields = ['image_id', 'url', 'local_path', 'source', 'metadata', 'license'] -%}
{%- set collected_images = ref('images__collected') -%}
{%- set found = [] -%}
{%- if execute -%}
    {%- for column in adapter.get_columns_in_relation(collected_images) -%}
        {%- do found.append(column.name | lower) -%}
    {%- endfor -%}
{%- endif -%}
{%- set n_missing = fields | reject('in', found) | list | length -%}

select
    '2.1' as gate_id,
    'record_fields' as check_name,
    '{{ n_missing }}' as measured,
    {{ n_missing }} = 0 as is_passed
