with

shadow_regions as (

    select * from {{ ref('reality_check__shadow_regions') }}

),

regions as (

    select
        image_sha256,
        {{ unnest_list_with_position('others', 'region', 'place') }}
    from shadow_regions

),

final as (

    select
        image_sha256,
        place,
        {{ struct_extract('region', 'area') }} as area,
        {{ struct_extract('region', 'angle') }} as angle
    from regions

)

select * from final
