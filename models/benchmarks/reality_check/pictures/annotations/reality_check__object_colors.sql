with
objects as (
    select * from {{ ref('reality_check__objects') }}
    where not is_crowd and area_fraction >= {{ rc_threshold('colored_object_area') }}
),

instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

files as (select * from {{ ref('images__files') }}),

masked_objects as (
    select
        files.source_image_id, files.sha256, objects.object_id, objects.label, objects.bbox,
        case
            when instances.object_id is not null
                then
                    {{ union_rle(
                        list_value(segmentation_of('instances')), 'files.height', 'files.width'
                    ) }}
        end as rle,
        row_number() over (
            partition by files.source_image_id
            order by objects.object_id
        ) as place
    from objects
    inner join files using (source_image_id)
    left join instances using (source_image_id, object_id)
),

pictures_with_objects as (
    select
        source_image_id, sha256,
        {{ array_agg(struct_pack(bbox='bbox', rle='rle'), order_by='place') }} as objects
    from masked_objects
    group by source_image_id, sha256
),

located_pictures as (
    select
        pictures_with_objects.source_image_id, pictures_with_objects.objects, pictures.path,
        pictures.archive, pictures.sha256
    from pictures_with_objects
    inner join {{ ref('reality_check__contents') }} as pictures using (sha256)
),

shared_out_pictures as (
    select {{ spread_over_tasks() }} * from located_pictures
),

findings as (
    select
        source_image_id,
        gs_object_colors(
            path, archive, sha256, {{ annotations_folder() }}, {{ var('max_image_bytes') }}, objects
        ) as finding
    from shared_out_pictures
),

found_colors as (
    select source_image_id, {{ unnest_list_with_position('finding.colors', 'color', 'place') }}
    from findings
),

measured_objects as (
    select
        masked_objects.source_image_id, masked_objects.object_id, masked_objects.label,
        found_colors.color.share as color_share,
        found_colors.color.lightness as lightness,
        found_colors.color.a as a,
        found_colors.color.b as b
    from masked_objects
    inner join found_colors using (source_image_id, place)
),

word_distances as (
    select
        measured_objects.source_image_id, measured_objects.object_id, color_prototypes.color,
        min(sqrt(
            power(measured_objects.lightness - color_prototypes.lightness, 2)
            + power(measured_objects.a - color_prototypes.a, 2)
            + power(measured_objects.b - color_prototypes.b, 2)
        )) as distance
    from measured_objects
    cross join {{ ref('color_prototypes') }} as color_prototypes
    where measured_objects.lightness is not null
    group by
        measured_objects.source_image_id, measured_objects.object_id, color_prototypes.color
),

-- of two words as near the first by name
ranked_words as (
    select
        *,
        row_number() over (
            partition by source_image_id, object_id
            order by distance, color
        ) as nearness,
        lead(distance) over (
            partition by source_image_id, object_id
            order by distance, color
        ) as next_distance
    from word_distances
)

select
    measured_objects.source_image_id, measured_objects.object_id, measured_objects.label,
    ranked_words.color,
    1 - ranked_words.distance / nullif(ranked_words.next_distance, 0) as color_margin,
    measured_objects.color_share, measured_objects.lightness, measured_objects.a, measured_objects.b
from measured_objects
left join ranked_words
    on
        measured_objects.source_image_id = ranked_words.source_image_id
        and measured_objects.object_id = ranked_words.object_id
        and ranked_words.nearness = 1
