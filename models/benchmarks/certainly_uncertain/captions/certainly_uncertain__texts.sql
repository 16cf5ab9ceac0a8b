with

captions as (

    select * from {{ ref('images__captions') }}

),

final as (

    select
        'coco-' || cast(caption_id as {{ dbt.type_string() }}) as text_id,
        source_image_id,
        caption as text,
        cast(caption_position as bigint) as text_position,
        {{ list_transform(regexp_extract_all('caption', '[A-Za-z0-9]+'), 'word', 'lower(word)') }}
            as words,
        {{ regexp_split('caption', '[A-Za-z0-9]+') }} as separators
    from captions

)

select * from final
