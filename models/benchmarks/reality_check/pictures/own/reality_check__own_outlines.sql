with
boxed_annotations as (
    select * from {{ ref('reality_check__own_annotations') }}
    where
        {{ text_literal(var('segmenter')) }} <> ''
        and problem is null
        and caption is null
        and segmentation_polygons is null
        and segmentation_rle_size is null
        and not is_crowd
        and confidence > {{ var('detector_confidence') }}
),

located_annotations as (
    select
        boxed_annotations.annotation_id, boxed_annotations.bbox, files.height, files.width,
        pictures.path, pictures.archive, pictures.sha256
    from boxed_annotations
    inner join {{ ref('images__files') }} as files using (source_image_id)
    inner join {{ ref('reality_check__contents') }} as pictures using (sha256)
),

shared_out_annotations as (
    select {{ spread_over_tasks() }} * from located_annotations
),

findings as (
    select
        annotation_id, height, width,
        gs_object_outline(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            cast({{ list_extract('bbox', 1) }} as double),
            cast({{ list_extract('bbox', 2) }} as double),
            cast({{ list_extract('bbox', 3) }} as double),
            cast({{ list_extract('bbox', 4) }} as double),
            {{ text_literal(var('segmenter')) }}
        ) as finding
    from shared_out_annotations
)

select
    annotation_id,
    finding.rle as rle,
    {{ list_value('height', 'width') }} as rle_size,
    finding.area as area,
    finding.error as error
from findings
