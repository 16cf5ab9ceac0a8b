with
files as (
    select
        *,
        count(*) over (partition by perceptual_hash)
        > {{ threshold('shared', 'duplicate_group_size') }} as is_in_large_group
    from {{ ref('images__files') }}
),

-- a picture's place in both lists is its place by id
catalogues as (
    select
        {{ array_agg('source_image_id', order_by='source_image_id') }} as source_image_ids,
        {{ array_agg('perceptual_hash', order_by='source_image_id') }} as perceptual_hashes
    from files
    having count(*) > 0
),

limits as (
    select
        cast({{ threshold('shared', 'duplicate_distance') }} as integer) - 1 as largest_distance,
        cast({{ threshold('shared', 'duplicate_group_size') }} as integer) as group_size,
        cast({{ threshold('shared', 'duplicate_neighbours') }} as integer) as n_neighbours
),

searches as (
    select
        catalogues.source_image_ids,
        gs_near_pairs(
            catalogues.perceptual_hashes, limits.largest_distance, limits.group_size,
            limits.n_neighbours
        ) as pairs
    from catalogues
    cross join limits
),

pairs as (
    select source_image_ids, {{ unnest_list('pairs') }} as pair from searches
),

-- lists begin at 1, the function's positions at 0
places as (
    select
        source_image_ids,
        pair.left + 1 as place,
        pair.right + 1 as other_place,
        pair.distance as distance
    from pairs
),

named_pairs as (
    select
        {{ list_extract('source_image_ids', 'place') }} as source_image_id,
        {{ list_extract('source_image_ids', 'other_place') }} as other_source_image_id,
        distance
    from places
)

select
    named_pairs.source_image_id, named_pairs.other_source_image_id, named_pairs.distance,
    files.sha256 = other_files.sha256 as is_same_content,
    files.is_in_large_group or other_files.is_in_large_group as is_of_large_group
from named_pairs
inner join files using (source_image_id)
inner join files as other_files on named_pairs.other_source_image_id = other_files.source_image_id
