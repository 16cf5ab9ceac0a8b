with
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
)

select ordered_images.image_id, earliest_images.image_id as earlier_image_id
from ordered_images
inner join earliest_places using (perceptual_hash)
inner join ordered_images as earliest_images on earliest_places.place = earliest_images.place
where earliest_places.place < ordered_images.place
