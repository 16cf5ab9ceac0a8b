with

hashed as (

    select
        {{ array_agg('source_image_id', order_by='source_image_id') }} as source_image_ids,
        {{ array_agg('perceptual_hash', order_by='source_image_id') }} as hash_list
    from {{ ref('images__files') }}
    having count(*) > 0

),

found as (

    select
        source_image_ids,
        gs_near_pairs(hash_list, {{ var('duplicate_distance') }} - 1) as pairs
    from hashed

),

pairs as (

    select
        source_image_ids,
        {{ unnest_list('pairs') }} as pair
    from found

),

named as (

    select
        {{ list_extract('source_image_ids', struct_extract('pair', 'left') ~ ' + 1') }} as source_image_id,
        {{ list_extract('source_image_ids', struct_extract('pair', 'right') ~ ' + 1') }}
            as other_source_image_id,
        {{ struct_extract('pair', 'distance') }} as distance
    from pairs

),

files as (

    select * from {{ ref('images__files') }}

),

final as (

    select
        named.source_image_id,
        named.other_source_image_id,
        named.distance,
        one.sha256 = other.sha256 as is_same_content
    from named
    inner join files as one
        on named.source_image_id = one.source_image_id
    inner join files as other
        on named.other_source_image_id = other.source_image_id

)

select * from final
