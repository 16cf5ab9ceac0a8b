{#- where nobody knows place and time, readers alone say that it is a shadow -#}
{%- set are_asked = 'shadow' in var('reality_check_awaited_queues') -%}
with
instances as (
    select * from {{ ref('reality_check__outlined_objects') }}
    where has_outline
),

-- the signed difference of two axes lies in (-90, 90]: clockwise from the expected one
judged_shadows as (
    select
        images.image_id,
        images.width as picture_width,
        images.height as picture_height,
        annotations.is_skippable, annotations.sun_elevation, annotations.heading,
        annotations.heading_source,
        annotations.shadow_angle_in_picture as angle_expected,
        case
            when {{ are_asked }} and annotations.is_skippable then regions.angle
            else annotations.shadow_angle_detected
        end as angle_detected,
        annotations.angle_delta, annotations.is_physically_plausible,
        regions.*,
        annotations.shadow_angle_detected - annotations.shadow_angle_in_picture
        - 180 * ceil(
            (annotations.shadow_angle_detected - annotations.shadow_angle_in_picture - 90) / 180
        ) as signed_delta,
        {{ seeded_int(
            'rc_difficulty', "'physical_plausibility:' || images.image_id", 10,
            seed_var='reality_check_seed'
        ) }} as tenth,
        {{ seeded_int('rc_turn', 'images.image_id', 2, seed_var='reality_check_seed') }} as side
    from {{ ref('reality_check__images') }} as images
    left join {{ ref('images__files') }} as files on images.image_id = files.source_image_id
    left join {{ ref('images__annotations') }} as annotations
        on images.image_id = annotations.source_image_id
    left join {{ ref('reality_check__shadow_regions') }} as regions
        on files.sha256 = regions.image_sha256
),

-- where nobody knows the heading, a shadow must at least lie on the ground, which a level camera
-- sees in the lower half: dark leaves above are none
levels as (
    select
        *,
        case
            when heading is not null then coalesce(is_physically_plausible, false)
            else
                coalesce(
                    {{ list_extract('center', 2) }}
                    >= {{ rc_threshold('ground_from') }} * picture_height,
                    true
                )
        end as may_be_shadow,
        case
            when tenth < {{ rc_threshold('easy_shadow_tenths') }} then 'easy'
            when tenth < {{ rc_threshold('medium_shadow_tenths') }} then 'medium'
            else 'hard'
        end as difficulty
    from judged_shadows
),

other_shadows as (
    select image_id, area, angle_detected, {{ unnest_list('others') }} as other
    from judged_shadows
),

-- shadows that are large enough to be seen beside the largest one, and lie as it does
like_shadows as (
    select image_id, count(*) as n_like_shadows
    from other_shadows
    where
        other.area >= {{ rc_threshold('least_like_shadow') }} * area
        and 90 - abs(abs(other.angle - angle_detected) - 90)
        <= {{ rc_threshold('like_shadow_degrees') }}
    group by image_id
),

-- away from the expected axis, so that a turned shadow is off by its turn at least; where nobody
-- knows it, to either side, because the photograph is as the sun made it
turns as (
    select
        *,
        cast(case difficulty
            when 'easy' then {{ rc_threshold('easy_shadow_turn') }}
            when 'medium' then {{ rc_threshold('medium_shadow_turn') }}
            when 'hard' then {{ rc_threshold('hard_shadow_turn') }}
        end as bigint)
        * case
            when signed_delta > 0 or (coalesce(signed_delta, 0) = 0 and side = 0) then 1
            else -1
        end as turn_degrees
    from levels
    where
        may_be_shadow
        and (sun_elevation > 0 or is_skippable and {{ are_asked }})
        and rle is not null
),

-- how far the bottom middles of the objects' boxes are from either end of the shadow
object_feet as (
    select
        objects.source_image_id as image_id,
        {{ list_extract('objects.bbox', 1) }} + {{ list_extract('objects.bbox', 3) }} / 2 as foot_x,
        {{ list_extract('objects.bbox', 2) }} + {{ list_extract('objects.bbox', 4) }} as foot_y
    from {{ ref('reality_check__objects') }} as objects
    inner join turns on objects.source_image_id = turns.image_id
),

end_distances as (
    select
        turns.image_id,
        min(
            power(object_feet.foot_x - {{ list_extract('turns.ends', 1) }}, 2)
            + power(object_feet.foot_y - {{ list_extract('turns.ends', 2) }}, 2)
        ) as from_first_end,
        min(
            power(object_feet.foot_x - {{ list_extract('turns.ends', 3) }}, 2)
            + power(object_feet.foot_y - {{ list_extract('turns.ends', 4) }}, 2)
        ) as from_second_end
    from turns
    inner join object_feet using (image_id)
    group by turns.image_id
),

object_masks as (
    select
        instances.source_image_id as image_id,
        {{ union_rle(
            array_agg(segmentation_of('instances'), order_by='instances.object_id'),
            'min(turns.picture_height)', 'min(turns.picture_width)'
        ) }} as rle
    from instances
    inner join turns on instances.source_image_id = turns.image_id
    group by instances.source_image_id
),

pivots as (
    select
        turns.image_id, turns.picture_width, turns.picture_height, turns.rle, turns.turn_degrees,
        object_masks.rle as objects_rle,
        end_distances.image_id is not null as has_foot,
        round(case
            when end_distances.image_id is null then {{ list_extract('turns.center', 1) }}
            when end_distances.from_first_end <= end_distances.from_second_end
                then {{ list_extract('turns.ends', 1) }}
            else {{ list_extract('turns.ends', 3) }}
        end, 1) as pivot_x,
        round(case
            when end_distances.image_id is null then {{ list_extract('turns.center', 2) }}
            when end_distances.from_first_end <= end_distances.from_second_end
                then {{ list_extract('turns.ends', 2) }}
            else {{ list_extract('turns.ends', 4) }}
        end, 1) as pivot_y
    from turns
    left join end_distances using (image_id)
    left join object_masks using (image_id)
),

shares as (
    select
        *,
        gs_turned_shadow_shares(
            rle, picture_height, picture_width, pivot_x, pivot_y,
            cast(turn_degrees as double), objects_rle
        ) as finding
    from pivots
),

turned_shadows as (
    select
        *,
        finding.visible_share as visible_share,
        finding.moved_share as moved_share,
        -- half a circle leaves the axis as it is, so only beyond a foot does the shadow look wrong
        has_foot or abs(turn_degrees) < 180 as is_seen_turned
    from shares
),

findings as (
    select
        'physical_plausibility::' || levels.image_id as candidate_id,
        'physical_plausibility' as bias_type, levels.image_id, levels.difficulty,
        {{ empty_list('string') }} as evidence_words,
        {{ json_object(
            angle_delta='round(levels.angle_delta, 2)',
            angle_detected='round(levels.angle_detected, 2)',
            angle_expected='round(levels.angle_expected, 2)',
            heading='levels.heading',
            heading_source='levels.heading_source',
            moved_share='round(turned_shadows.moved_share, 4)',
            n_like_shadows='like_shadows.n_like_shadows',
            visible_share='round(turned_shadows.visible_share, 4)'
        ) }} as evidence,
        -- place and time tell where the sun stood, or readers see that it is a shadow
        not coalesce(levels.is_skippable, true) or {{ are_asked }} as passes_place_and_time,
        -- a shadow was found, and the sun was not known to be down
        levels.angle_detected is not null
        and (coalesce(levels.sun_elevation, 0) > 0 or coalesce(levels.is_skippable, true))
            as passes_shadow,
        -- it lies where the sun throws it, which is asked where the camera's direction is known
        levels.may_be_shadow as passes_plausibility,
        case when levels.heading is null then 'it does not lie on the ground' end
            as plausibility_detail,
        -- turned, it stays visible, lies where no shadow lay, and looks wrong
        coalesce(turned_shadows.visible_share, 0) >= {{ rc_threshold('shadow_visible_share') }}
        and coalesce(
            turned_shadows.moved_share >= {{ rc_threshold('shadow_moved_share') }}, true
        )
        and coalesce(turned_shadows.is_seen_turned, true) as passes_region,
        -- another shadow lies as the largest one does, or readers see what was turned
        like_shadows.n_like_shadows is not null or {{ are_asked }} as passes_comparison,
        levels.heading_source, levels.heading, levels.angle_expected, levels.angle_detected,
        levels.angle_delta, turned_shadows.turn_degrees, turned_shadows.rle,
        turned_shadows.objects_rle, turned_shadows.pivot_x, turned_shadows.pivot_y,
        turned_shadows.visible_share, turned_shadows.moved_share
    from levels
    left join turned_shadows using (image_id)
    left join like_shadows using (image_id)
)

select
    *,
    {{ no_stage_failed(
        'reality_check', 'reality_check_physical_plausibility', 'reality_check__physical_plausibility_findings'
    ) }} as is_possible
from findings
