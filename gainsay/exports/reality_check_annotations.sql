-- data/processed/annotations.jsonl: what is known of each image, as the source protocol nests it;
-- where its key has another name than our column, both stand there
with
objects as (
    select
        source_image_id,
        list(
            struct_pack(
                label := label,
                bbox := bbox,
                confidence := confidence,
                area_fraction := area_fraction
            )
            order by object_id
        ) as detections
    from reality_check.reality_check__objects
    group by source_image_id
)

select
    to_json(struct_pack(
        image_id := images.image_id,
        detections := struct_pack(detections := coalesce(objects.detections, [])),
        depth := struct_pack(
            left_depth_mean := annotations.depth_left,
            right_depth_mean := annotations.depth_right,
            top_depth_mean := annotations.depth_top,
            bottom_depth_mean := annotations.depth_bottom
        ),
        shadow := struct_pack(
            shadow_angle_detected := annotations.shadow_angle_detected,
            shadow_angle_expected := annotations.shadow_angle_expected,
            sun_azimuth := annotations.sun_azimuth,
            sun_elevation := annotations.sun_elevation,
            angle_delta := annotations.angle_delta,
            is_physically_plausible := annotations.is_physically_plausible,
            is_physiologically_plausible := annotations.is_physically_plausible,
            is_skippable := annotations.is_skippable,
            skippable := annotations.is_skippable
        ),
        ocr := struct_pack(
            has_text := annotations.has_text,
            text_blocks := annotations.text_blocks,
            is_location_relevant := annotations.is_location_relevant,
            text_is_location_relevant := annotations.is_location_relevant
        ),
        texture := struct_pack(
            edge_density := annotations.edge_density,
            dominant_texture_frequency := annotations.dominant_texture_frequency,
            dominant_texture_freq := annotations.dominant_texture_frequency,
            is_silhouette_extractable := annotations.is_silhouette_extractable,
            silhouette_extractable := annotations.is_silhouette_extractable
        ),
        temporal := struct_pack(
            taken_at := annotations.taken_at,
            timestamp := annotations.taken_at,
            time_of_day := annotations.time_of_day,
            season := annotations.season,
            construction_score := annotations.construction_score
        ),
        scene := struct_pack(scene := scenes.scene, is_outdoor := scenes.is_outdoor)
    )) as line
from reality_check.reality_check__images as images
left join images.images__annotations as annotations
    on images.image_id = annotations.source_image_id
left join reality_check.reality_check__scenes as scenes
    on images.image_id = scenes.source_image_id
left join objects on images.image_id = objects.source_image_id
order by images.image_id
