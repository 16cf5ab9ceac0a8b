with
-- each content once; what a var leaves out, or names no network for, is null
findings as (
    select
        sha256 as image_sha256,
        {{ finding_of('gs_shadow') }} as shadow,
        {{ finding_of('gs_texture') }} as texture,
        {{ finding_of('gs_mirror_difference') }} as mirror,
        {{ finding_of('gs_texts', var('annotate_ocr')) }} as text,
        {{ finding_of('gs_objects', network=var('detector')) }} as detection,
        {{ finding_of('gs_depth', network=var('depth_network')) }} as depth,
        {{ finding_of('gs_writing', network=var('text_network')) }} as writing
    from (
        select {{ spread_over_tasks() }} * from {{ ref('reality_check__contents') }}
    ) as spread_pictures
)

select
    image_sha256,
    detection.objects as objects,
    text.words as words,
    text.engine as text_engine,
    writing.lines as writing_lines,
    shadow.error as shadow_error,
    texture.error as texture_error,
    mirror.error as mirror_error,
    text.error as text_error,
    detection.error as detection_error,
    depth.error as depth_error,
    writing.error as writing_error,
    shadow.area_share as shadow_area_share,
    -- a smaller region is no shadow
    case when shadow.area_share >= {{ rc_threshold('shadow_area') }} then shadow.angle end
        as shadow_angle_detected,
    texture.edge_density as edge_density,
    texture.dominant_texture_frequency as dominant_texture_frequency,
    texture.largest_contour_share as largest_contour_share,
    mirror.horizontal as horizontal_difference,
    mirror.vertical as vertical_difference,
    depth.left as depth_left,
    depth.right as depth_right,
    depth.top as depth_top,
    depth.bottom as depth_bottom,
    texture.edge_density > {{ rc_threshold('silhouette_edge_density') }}
    and texture.largest_contour_share > {{ rc_threshold('silhouette_area') }}
        as is_silhouette_extractable
from findings
