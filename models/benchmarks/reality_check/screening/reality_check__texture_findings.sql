with
annotations as (select * from {{ ref('images__annotations') }}),

instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

-- the mask of an object, or the largest outline that edges draw in a picture without masks
object_outlines as (
    select
        images.image_id, images.width, images.height,
        coalesce(
            {{ union_rle(
                list_value(segmentation_of('instances')), 'images.height', 'images.width'
            ) }},
            drawn_outlines.rle
        ) as rle
    from {{ ref('reality_check__images') }} as images
    inner join {{ ref('reality_check__main_objects') }} as main_objects using (image_id)
    left join instances on main_objects.object_id = instances.object_id
    left join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join {{ ref('reality_check__outlines') }} as drawn_outlines
        on files.sha256 = drawn_outlines.image_sha256
),

-- how much of the convex hull around the main object's outline lies open: legs, wings, masts and an
-- open lid leave much of it open; a disc, a block or a heap next to nothing, and could be anything
main_outlines as (
    select image_id, gs_open_share(rle, height, width) as open_share
    from object_outlines
    where rle is not null
),

surfaces as (
    select
        images.image_id, images.has_object_annotations, main_objects.object_id, main_objects.label,
        main_objects.truth_source, main_objects.doubt, main_objects.mask_fraction,
        annotations.edge_density, annotations.is_silhouette_extractable,
        outlines.rle as outline_rle,
        main_outlines.open_share,
        silhouette_groups.label is not null as is_lookalike,
        coalesce(silhouette_groups.is_box, false) as is_box,
        coalesce(main_objects.mask_fraction, main_objects.area_fraction) as share_covered,
        case when main_objects.mask_fraction is null then 'canny' else 'mask' end as method,
        {{ jaccard(
            box_intersection('outlines.bbox', 'main_objects.bbox'),
            box_area('outlines.bbox'),
            box_area('main_objects.bbox')
        ) }} as outline_overlap,
        least(
            {{ list_extract('main_objects.bbox', 1) }} / images.width,
            {{ list_extract('main_objects.bbox', 2) }} / images.height,
            1 - (
                {{ list_extract('main_objects.bbox', 1) }}
                + {{ list_extract('main_objects.bbox', 3) }}
            ) / images.width,
            1 - (
                {{ list_extract('main_objects.bbox', 2) }}
                + {{ list_extract('main_objects.bbox', 4) }}
            ) / images.height
        ) as share_to_edge
    from {{ ref('reality_check__images') }} as images
    left join {{ ref('reality_check__main_objects') }} as main_objects
        on images.image_id = main_objects.image_id
    left join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join annotations on images.image_id = annotations.source_image_id
    left join {{ ref('reality_check__outlines') }} as outlines
        on files.sha256 = outlines.image_sha256
    left join main_outlines
        on images.image_id = main_outlines.image_id
    left join {{ ref('reality_check_silhouette_groups') }} as silhouette_groups
        on main_objects.label = silhouette_groups.label
),

-- pictures with masks get no outline of their own
judged_surfaces as (
    select
        *,
        share_covered between {{ rc_threshold('least_main_area') }}
        and {{ rc_threshold('most_main_area') }} as is_clear,
        share_to_edge < {{ rc_threshold('least_share_to_edge') }} as is_cut_off,
        open_share >= {{ rc_threshold('least_open_share') }} as is_open,
        method = 'mask'
        or (
            is_silhouette_extractable
            and coalesce(outline_overlap, 0) >= {{ rc_threshold('contour_box_overlap') }}
        ) as has_silhouette
    from surfaces
),

findings as (
    select
        'texture::' || image_id as candidate_id,
        'texture' as bias_type,
        image_id, object_id, label, truth_source, method,
        case
            when edge_density >= {{ rc_threshold('texture_easy_edges') }} then 'easy'
            when edge_density < {{ rc_threshold('texture_hard_edges') }} or is_lookalike
                then 'hard'
            else 'medium'
        end as difficulty,
        {{ list_value('label') }} as evidence_words,
        {{ json_object(
            edge_density='round(edge_density, 4)', label='label', method='method',
            open_share='round(open_share, 4)', share_covered='round(share_covered, 4)'
        ) }} as evidence,
        -- the picture has an object and was annotated
        object_id is not null and edge_density is not null as passes_annotation,
        case
            when object_id is not null then 'its texture was not measured'
            when has_object_annotations then 'its annotations name no object'
            else 'no annotations landed'
        end as annotation_detail,
        -- the object covers neither too little nor too much, and is plainly the main one
        coalesce(is_clear, true) and doubt is null as passes_object,
        case when is_clear then doubt end as object_detail,
        -- its mask, or an outline on its box, lies within the picture and tells its kind
        object_id is null
        or coalesce(not is_cut_off and not is_box and has_silhouette, true) as passes_silhouette,
        case
            when is_cut_off then 'the picture cuts the object off'
            when is_box then 'any box has such an outline'
        end as silhouette_detail,
        -- parts stand out of its outline, and no other category has the like, so that the thing can
        -- be named by it alone
        not {{ var('reality_check_named_alone') }}
        or (not is_lookalike and coalesce(is_open, true)) as passes_naming,
        case
            when is_lookalike then label || ': other things have such an outline'
            when not is_open then 'no parts stand out of the outline'
        end as naming_detail,
        case when method = 'canny' then outline_rle end as outline_rle
    from judged_surfaces
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_texture', 'reality_check__texture_findings'
    ) }} as is_possible
from findings
