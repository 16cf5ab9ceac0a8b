{%- set least_gain -%}
    cast({{ rc_threshold('least_shadow_gain') }} as double)
{%- endset -%}
{%- set most_gain -%}
    cast({{ rc_threshold('most_shadow_gain') }} as double)
{%- endset -%}
{%- set least_moved -%}
    cast({{ rc_threshold('shadow_moved_share') }} as double)
{%- endset -%}
{%- set margin -%}
    cast({{ rc_threshold('shadow_margin_pixels') }} as bigint)
{%- endset -%}
{%- set ring -%}
    cast({{ rc_threshold('shadow_ring_pixels') }} as bigint)
{%- endset -%}
with
candidates as (
    select * from {{ ref('reality_check__physical_plausibility_findings') }}
    where is_possible
),

-- an axis is one of half a circle
turned_axes as (
    select
        *,
        angle_detected + turn_degrees
        - 180 * floor((angle_detected + turn_degrees) / 180) as axis_after
    from candidates
),

turned_deltas as (
    select
        *,
        90 - abs(
            90 - (
                abs(axis_after - angle_expected)
                - 180 * floor(abs(axis_after - angle_expected) / 180)
            )
        ) as delta_after
    from turned_axes
)

select
    candidate_id as pair_id,
    bias_type,
    image_id as image_a_id,
    image_id as image_b_id,
    difficulty, '{}' as slots,
    {{ json_object(
        angle_delta='round(angle_delta, 2)', angle_detected='round(angle_detected, 2)',
        angle_expected='round(angle_expected, 2)', axis_after='round(axis_after, 2)',
        delta_after='round(delta_after, 2)', heading='heading',
        heading_source='heading_source', turn_degrees='turn_degrees'
    ) }} as metadata,
    -- where nobody knows the heading, the sun was not asked: the photograph is as it was taken, and
    -- its shadow lies on the ground as another one does
    case when heading is null then 'shadow_on_ground' else 'sun_position' end as truth_source,
    'shadow_turn' as recipe_family,
    {{ json_object(
        degrees='turn_degrees', least_gain=least_gain,
        least_moved=least_moved, margin=margin, most_gain=most_gain,
        objects='objects_rle', pivot_x='pivot_x', pivot_y='pivot_y', ring=ring
    ) }} as recipe_parameters,
    rle as recipe_rle,
    {{ list_value("'shadow_turn'") }} as edit_families,
    {{ absent_pair_columns(
        'image_c_id', 'asked_label', 'options', 'correct_answer', 'distractor_answers',
        'binding_a', 'binding_b'
    ) }}
from turned_deltas
