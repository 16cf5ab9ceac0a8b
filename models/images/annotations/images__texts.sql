-- incremental, because a picture is looked at once
{{ config(materialized='incremental', unique_key='image_sha256', on_schema_change='fail') }}

with

pictures as (

    select
        sha256,
        min(path) as path,
        {{ first_by('archive', order_by='path') }} as archive
    from {{ ref('images__files') }}
    {%- if not var('annotate_ocr') %}
        where false
    {%- endif %}
    group by sha256

),

-- what an earlier build saw; errors are tried again
seen as (

    {%- if is_incremental() %}
        select image_sha256 from {{ this }}
        where error is null
    {%- else %}
        select sha256 as image_sha256 from pictures
        where false
    {%- endif %}

),

missing as (

    select pictures.*
    from pictures
    left join seen
        on pictures.sha256 = seen.image_sha256
    where seen.image_sha256 is null

),

looked_at as (

    select
        sha256,
        gs_texts(
            path, archive, sha256,
            '{{ env_var("GAINSAY_RENDERINGS", "data/renderings") }}/annotations',
            {{ var('max_image_bytes') }}
        ) as found
    from missing

),

final as (

    select
        sha256 as image_sha256,
        {{ field_of('found', 'words') }} as words,
        {{ field_of('found', 'error') }} as error
    from looked_at

)

select * from final
