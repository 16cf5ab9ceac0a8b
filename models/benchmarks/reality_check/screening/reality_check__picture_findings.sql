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
left join {{ ref('reality_check__near_duplicates') }} as near_duplicates using (image_id)
