with
files as (
    select source_image_id, sha256, perceptual_hash from {{ ref('images__files') }}
),

duplicates as (select * from {{ ref('images__duplicates') }}),

alike_images as (
    select source_image_id
    from duplicates
    union
    select other_source_image_id as source_image_id
    from duplicates
),

alike_files as (
    select files.*
    from files
    inner join alike_images using (source_image_id)
),

-- hashes and not pictures are paired, so that pictures of one hash make no pairs of their own
hash_pairs as (
    select files.perceptual_hash, other_files.perceptual_hash as near_hash
    from duplicates
    inner join files using (source_image_id)
    inner join files as other_files
        on duplicates.other_source_image_id = other_files.source_image_id
    where files.perceptual_hash <> other_files.perceptual_hash
),

near_hashes as (
    select perceptual_hash, near_hash
    from hash_pairs
    union
    select near_hash as perceptual_hash, perceptual_hash as near_hash
    from hash_pairs
)

select
    source_image_id, 'same_content' as likeness,
    sha256 as likeness_key,
    true as is_own
from alike_files
union all
select
    source_image_id, 'near_duplicate' as likeness,
    perceptual_hash as likeness_key,
    true as is_own
from alike_files
union all
select
    alike_files.source_image_id, 'near_duplicate' as likeness,
    near_hashes.near_hash as likeness_key,
    false as is_own
from alike_files
inner join near_hashes using (perceptual_hash)
