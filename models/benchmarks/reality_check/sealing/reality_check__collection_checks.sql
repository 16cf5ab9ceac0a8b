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

with

files as (

    select * from {{ ref('images__files') }}

),

-- a picture and itself, by the measure that tells duplicates
self_distances as (

    select max({{ hash_distance('perceptual_hash', 'perceptual_hash') }}) as n_bits
    from files

),

final as (

    select
        '2.1' as gate_id,
        'record_fields' as check_name,
        '{{ n_missing }}' as measured,
        {{ n_missing }} = 0 as is_passed
    union all
    select
        '2.2' as gate_id,
        'duplicate_found' as check_name,
        cast(n_bits as {{ dbt.type_string() }}) as measured,
        n_bits < {{ var('duplicate_distance') }} as is_passed
    from self_distances

)

select * from final
