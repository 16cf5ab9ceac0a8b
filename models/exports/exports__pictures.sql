with
files as (
    select source_image_id, path, archive from {{ ref('images__files') }}
),

-- the COCO files repeat the same list of licences
licenses as (
    select
        license_id,
        {{ min_by('license_name', 'source_file') }} as license_name,
        {{ min_by('license_url', 'source_file') }} as license_url
    from {{ ref('stg_coco__licenses') }}
    group by license_id
),

collected_images as (
    select * from {{ ref('images__collected_images') }}
    where source <> 'coco'
),

listed_images as (
    select
        images.source_image_id, images.flickr_url,
        -- the place where who has COCO has it
        coalesce(
            nullif({{ regexp_extract('images.coco_url', '[^/]+/[^/]+$') }}, ''), images.file_name
        ) as photograph_name,
        -- COCO names no author: a photograph's page at Flickr does, by the number in its address
        cast(null as string) as author,
        'https://www.flickr.com/photo.gne?id=' || nullif(
            {{ regexp_extract(regexp_extract('images.flickr_url', '/[0-9]+_'), '[0-9]+') }}, ''
        ) as page_url,
        licenses.license_name, licenses.license_url
    from {{ ref('images__source_images') }} as images
    left join licenses using (license_id)
    union all
    select
        image_id as source_image_id,
        page_url as flickr_url,
        cast(null as string) as photograph_name,
        coalesce(
            {{ json_extract_string('metadata', '$.author') }},
            {{ json_extract_string('metadata', '$.copyright') }}
        ) as author,
        page_url,
        license as license_name,
        license_url
    from collected_images
),

-- an unknown licence allows nothing
licensed as (
    select
        listed_images.*,
        license_terms.license_url is not null as is_licence_known,
        coalesce(license_terms.allows_derivatives, false) as allows_derivatives,
        coalesce(license_terms.allows_commercial_use, false) as allows_commercial_use,
        coalesce(license_terms.allows_copies, true) as allows_copies
    from listed_images
    left join {{ ref('license_terms') }} as license_terms using (license_url)
)

-- a picture whose file alone is landed has no licence that is known; whether an edited one may be
-- given along is a question of `exports__example_pictures`
select
    coalesce(licensed.source_image_id, files.source_image_id) as source_image_id,
    case when withdrawn_images.source_image_id is null then files.path end as path,
    case when withdrawn_images.source_image_id is null then files.archive end as archive,
    licensed.photograph_name, licensed.license_name, licensed.license_url, licensed.flickr_url,
    licensed.author, licensed.page_url,
    case
        when withdrawn_images.source_image_id is not null then 'withdrawn'
        when not licensed.allows_copies then 'license_forbids_copies'
        when
            not coalesce(licensed.is_licence_known, false)
            and (
                {{ var('export_requires_derivatives') }}
                or {{ var('export_requires_commercial_use') }}
            )
            then 'license_unknown'
        when
            {{ var('export_requires_commercial_use') }}
            and not coalesce(licensed.allows_commercial_use, false)
            then 'license_forbids_commercial_use'
        when files.path is null then 'not_landed'
        else 'available'
    end as picture_state,
    coalesce(licensed.allows_derivatives, false) as allows_derivatives,
    coalesce(licensed.allows_commercial_use, false) as allows_commercial_use
from licensed
full outer join files
    on licensed.source_image_id = files.source_image_id
left join {{ ref('stg_gainsay__withdrawn_images') }} as withdrawn_images
    on
        coalesce(licensed.source_image_id, files.source_image_id)
        = withdrawn_images.source_image_id
