with
candidates as (
    select * from {{ ref('certainly_uncertain__removable_objects') }}
    where {{ text_literal(var('segmenter')) }} <> ''
),

objects as (
    select * from {{ ref('certainly_uncertain__picture_objects') }}
    where is_box
),

wanted_objects as (
    select distinct source_image_id, object_name from candidates
),

located_objects as (
    select
        source_image_id, objects.object_key,
        {{ list_extract('objects.segmentation_polygons', 1) }} as corners,
        files.height, files.width, files.path, files.archive, files.sha256
    from wanted_objects
    inner join objects using (source_image_id, object_name)
    inner join {{ ref('images__files') }} as files using (source_image_id)
),

shared_out_objects as (
    select {{ spread_over_tasks() }} * from located_objects
),

findings as (
    select
        source_image_id, object_key, height, width,
        gs_object_outline(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }},
            {{ list_extract('corners', 1) }},
            {{ list_extract('corners', 2) }},
            {{ list_extract('corners', 5) }} - {{ list_extract('corners', 1) }},
            {{ list_extract('corners', 6) }} - {{ list_extract('corners', 2) }},
            {{ text_literal(var('segmenter')) }}
        ) as finding
    from shared_out_objects
)

select
    source_image_id, object_key,
    finding.rle as rle,
    {{ list_value('height', 'width') }} as rle_size,
    finding.error as error
from findings
