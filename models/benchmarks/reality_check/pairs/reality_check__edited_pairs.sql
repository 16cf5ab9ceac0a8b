{%- set least_gain %}cast({{ rc_threshold('least_shadow_gain') }} as double){% endset -%}
{%- set most_gain %}cast({{ rc_threshold('most_shadow_gain') }} as double){% endset -%}
{%- set least_moved %}cast({{ rc_threshold('shadow_moved_share') }} as double){% endset -%}
{%- set margin %}cast({{ rc_threshold('shadow_margin_pixels') }} as bigint){% endset -%}
{%- set ring %}cast({{ rc_threshold('shadow_ring_pixels') }} as bigint){% endset -%}
with
-- an axis is one of half a circle
turned_axes as (
    select
        *,
        angle_detected + turn_degrees
        - 180 * floor((angle_detected + turn_degrees) / 180) as axis_after
    from {{ ref('reality_check__physical_plausibility_findings') }}
    where is_possible
),

turned_shadows as (
    select
        *,
        90 - abs(
            90 - (
                abs(axis_after - angle_expected)
                - 180 * floor(abs(axis_after - angle_expected) / 180)
            )
        ) as delta_after
    from turned_axes
),

edits as (
    -- the silhouette of the main object, whose mask is made once the pair is drawn
    select
        candidate_id, bias_type, image_id, difficulty,
        label as asked_label,
        {{ json_object(label='label', method='method') }} as metadata,
        truth_source, 'silhouette' as recipe_family,
        {{ json_object(method='method', object_id='object_id') }} as recipe_parameters,
        outline_rle as recipe_rle
    from {{ ref('reality_check__texture_findings') }}
    where is_possible
    union all
    -- the mirror image
    select
        candidate_id, bias_type, image_id, difficulty,
        cast(null as string) as asked_label,
        {{ json_object(
            axis='axis', depth_difference='depth_difference', mirror_difference='mirror_difference'
        ) }} as metadata,
        'flip_recipe' as truth_source, 'flip' as recipe_family,
        {{ json_object(axis='axis') }} as recipe_parameters,
        cast(null as string) as recipe_rle
    from {{ ref('reality_check__spatial_relations_findings') }}
    where is_possible
    union all
    -- the shadow turned away from where the sun throws it. Where nobody knows the heading, the sun
    -- was not asked: the photograph is as it was taken, and its shadow lies on the ground as
    -- another one does
    select
        candidate_id, bias_type, image_id, difficulty,
        cast(null as string) as asked_label,
        {{ json_object(
            angle_delta='round(angle_delta, 2)', angle_detected='round(angle_detected, 2)',
            angle_expected='round(angle_expected, 2)', axis_after='round(axis_after, 2)',
            delta_after='round(delta_after, 2)', heading='heading',
            heading_source='heading_source', turn_degrees='turn_degrees'
        ) }} as metadata,
        case when heading is null then 'shadow_on_ground' else 'sun_position' end as truth_source,
        'shadow_turn' as recipe_family,
        {{ json_object(
            degrees='turn_degrees', least_gain=least_gain,
            least_moved=least_moved, margin=margin, most_gain=most_gain,
            objects='objects_rle', pivot_x='pivot_x', pivot_y='pivot_y', ring=ring
        ) }} as recipe_parameters,
        rle as recipe_rle
    from turned_shadows
    union all
    -- a crop of the main object
    select
        candidate_id, bias_type, image_id, difficulty,
        label as asked_label,
        {{ json_object(label='label', zoom='zoom') }} as metadata,
        truth_source, 'zoom' as recipe_family,
        {{ json_object(
            height='crop_height', left='crop_left', top='crop_top', width='crop_width'
        ) }} as recipe_parameters,
        cast(null as string) as recipe_rle
    from {{ ref('reality_check__scale_invariance_findings') }}
    where is_possible
)

select
    candidate_id as pair_id,
    bias_type,
    image_id as image_a_id,
    image_id as image_b_id,
    difficulty, asked_label, '{}' as slots, metadata, truth_source, recipe_family,
    recipe_parameters, recipe_rle,
    {{ list_value('recipe_family') }} as edit_families,
    {{ absent_pair_columns(
        'image_c_id', 'options', 'correct_answer', 'distractor_answers', 'binding_a', 'binding_b'
    ) }}
from edits
