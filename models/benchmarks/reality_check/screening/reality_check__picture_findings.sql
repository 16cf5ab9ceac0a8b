with
listed_images as (
    select * from {{ ref('images__collected_images') }}
    where source in ({{ text_literals(var('reality_check_image_sources')) }})
),

landed_files as (
    select
        source_image_id,
        max(case when error_kind is null then 1 else 0 end) = 1 as is_usable,
        {{ min_by('error', 'path') }} as error
    from {{ ref('stg_images__files') }}
    group by source_image_id
),

files as (
    select source_image_id, perceptual_hash from {{ ref('images__files') }}
),

-- the earlier of two alike pictures stays: by source, then by seed
ordered_images as (
    select
        wanted_images.image_id, files.perceptual_hash,
        row_number() over (
            order by
                wanted_images.source_position,
                {{ seeded_order('rc_duplicates', 'wanted_images.image_id', 'reality_check_seed') }},
                wanted_images.image_id
        ) as place
    from {{ ref('reality_check__wanted_images') }} as wanted_images
    inner join files on wanted_images.image_id = files.source_image_id
),

first_places as (
    select perceptual_hash, min(place) as place
    from ordered_images
    group by perceptual_hash
),

-- one picture of a large group stands for all of its hash, so hashes are compared, not pictures
alike_hashes as (
    select distinct files.perceptual_hash, other_files.perceptual_hash as other_hash
    from {{ ref('images__duplicates') }} as alike_pairs
    inner join files using (source_image_id)
    inner join files as other_files
        on alike_pairs.other_source_image_id = other_files.source_image_id
),

hash_neighbours as (
    select perceptual_hash, perceptual_hash as other_hash
    from first_places
    union
    select perceptual_hash, other_hash
    from alike_hashes
    union
    select other_hash as perceptual_hash, perceptual_hash as other_hash
    from alike_hashes
),

earliest_places as (
    select hash_neighbours.perceptual_hash, min(first_places.place) as place
    from hash_neighbours
    inner join first_places on hash_neighbours.other_hash = first_places.perceptual_hash
    group by hash_neighbours.perceptual_hash
),

-- images that look like an earlier one that passed every stage before: a picture without a place
-- takes none from another
near_duplicates as (
    select ordered_images.image_id, earliest_images.image_id as earlier_image_id
    from ordered_images
    inner join earliest_places using (perceptual_hash)
    inner join ordered_images as earliest_images on earliest_places.place = earliest_images.place
    where earliest_places.place < ordered_images.place
)

select
    listed_images.image_id as candidate_id,
    -- its source needs it
    wanted_images.image_id is not null as passes_quota,
    -- it was not taken down; one that was keeps its place in the quota, so that no other moves
    withdrawn_images.source_image_id is null as passes_withdrawal,
    withdrawn_images.reason as withdrawal_detail,
    -- it has been fetched and landed
    landed_files.source_image_id is not null as passes_download,
    case
        when fetches.state = 'failed' then fetches.error
        when fetches.state = 'fetched' then 'fetched, and not landed'
        when listed_images.source = 'coco' then 'its picture was not landed'
        else 'never asked for'
    end as download_detail,
    -- it can be read
    landed_files.is_usable as passes_picture,
    landed_files.error as picture_detail,
    -- no earlier picture looks the same
    near_duplicates.image_id is null as passes_duplicate,
    'looks like ' || near_duplicates.earlier_image_id as duplicate_detail
from listed_images
left join {{ ref('reality_check__wanted_images') }} as wanted_images using (image_id)
left join {{ ref('stg_gainsay__withdrawn_images') }} as withdrawn_images
    on listed_images.image_id = withdrawn_images.source_image_id
left join {{ ref('stg_collect__images') }} as fetches using (image_id)
left join landed_files on listed_images.image_id = landed_files.source_image_id
left join near_duplicates using (image_id)
