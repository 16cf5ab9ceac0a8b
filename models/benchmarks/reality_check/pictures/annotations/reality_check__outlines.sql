with
instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

pictures as (select * from {{ ref('reality_check__contents') }}),

outlined_files as (
    select distinct files.sha256
    from {{ ref('images__files') }} as files
    inner join instances using (source_image_id)
),

-- masks are better than any edge
maskless_pictures as (
    select pictures.*
    from pictures
    left join outlined_files using (sha256)
    where outlined_files.sha256 is null
),

findings as (
    select sha256 as image_sha256, {{ finding_of('gs_outline') }} as finding
    from (select {{ spread_over_tasks() }} * from maskless_pictures) as spread_pictures
)

select
    image_sha256,
    finding.error as error,
    finding.rle as rle,
    finding.bbox as bbox
from findings
