{%- set area_ratio -%}
    greatest(asked_area_a, asked_area_b) / least(asked_area_a, asked_area_b)
{%- endset %}
{%- set minutes_ab %}
    abs({{ dbt.datediff('taken_at_a', 'taken_at_b', 'second') }}) / 60.0
{%- endset %}
{%- set minutes_bc %}
    abs({{ dbt.datediff('taken_at_b', 'taken_at_c', 'second') }}) / 60.0
{%- endset %}
{%- set minutes_ac %}
    abs({{ dbt.datediff('taken_at_a', 'taken_at_c', 'second') }}) / 60.0
{%- endset -%}
{#- each factor, and the limit that its measurements are held against -#}
{%- set limits = {
    'object_category': none,
    'object_count': none,
    'other_objects': rc_threshold('same_objects'),
    'orientation': rc_threshold('orientation_depth'),
    'shadow_direction': var('shadow_tolerance_degrees'),
    'capture_time': rc_threshold('same_minutes'),
    'context': none,
    'color_binding': none,
    'text': none,
    'scale': rc_threshold('same_size_ratio'),
    'texture': none,
    'pixels_elsewhere': 0,
} -%}
{%- set measurements = [] -%}
{%- for factor, limit in limits.items() -%}
    {%- set threshold %}cast({{ 'null' if limit is none else limit }} as double){% endset -%}
    {%- do measurements.append(struct_pack(
        factor="'" ~ factor ~ "'",
        measured_a=factor ~ '_a',
        measured_b=factor ~ '_b',
        threshold=threshold,
        is_varied='is_' ~ factor ~ '_varied'
    )) -%}
{%- endfor -%}
with
pairs as (
    select * from {{ ref('reality_check__pairs') }}
    where is_drawn
),

measurements as (select * from {{ ref('reality_check__measurements') }}),
label_counts as (select * from {{ ref('reality_check__label_counts') }}),

-- what is known of both pictures, or of all three; an edit's picture is that of its original
measured_pairs as (
    select
        pairs.pair_id, pairs.bias_type, pairs.recipe_family, pairs.edit_families, pairs.asked_label,
        pairs.binding_a, pairs.binding_b,
        pairs.image_c_id is not null as has_third_picture,
        measurements_a.labels as labels_a,
        measurements_b.labels as labels_b,
        measurements_a.object_counts as object_counts_a,
        measurements_b.object_counts as object_counts_b,
        measurements_a.scene as scene_a,
        measurements_b.scene as scene_b,
        measurements_c.scene as scene_c,
        measurements_a.place_names as place_names_a,
        measurements_b.place_names as place_names_b,
        measurements_a.colored_labels as colored_labels_a,
        measurements_b.colored_labels as colored_labels_b,
        measurements_a.label_colors as label_colors_a,
        measurements_b.label_colors as label_colors_b,
        measurements_a.depth_left as depth_left_a,
        measurements_b.depth_left as depth_left_b,
        measurements_a.shadow_angle_detected as shadow_angle_a,
        measurements_b.shadow_angle_detected as shadow_angle_b,
        measurements_a.taken_at as taken_at_a,
        measurements_b.taken_at as taken_at_b,
        measurements_c.taken_at as taken_at_c,
        counts_a.n_objects as asked_count_a,
        counts_b.n_objects as asked_count_b,
        counts_a.largest_area_fraction as asked_area_a,
        counts_b.largest_area_fraction as asked_area_b,
        edits.n_changed_elsewhere, edits.n_changed_inside
    from pairs
    left join measurements as measurements_a on pairs.image_a_id = measurements_a.image_id
    left join measurements as measurements_b on pairs.image_b_id = measurements_b.image_id
    left join measurements as measurements_c on pairs.image_c_id = measurements_c.image_id
    left join {{ ref('reality_check__edits') }} as edits using (pair_id)
    left join label_counts as counts_a
        on pairs.image_a_id = counts_a.image_id and pairs.asked_label = counts_a.label
    left join label_counts as counts_b
        on pairs.image_b_id = counts_b.image_id and pairs.asked_label = counts_b.label
),

labelled_pairs as (
    select
        *,
        {{ list_length('edit_families') }} > 0 as is_edited,
        case
            when asked_label is null or labels_a is null then null
            when array_contains(labels_a, asked_label) then asked_label
            else 'none'
        end as asked_label_a,
        case
            when asked_label is null or labels_b is null then null
            when array_contains(labels_b, asked_label) then asked_label
            else 'none'
        end as asked_label_b,
        case
            when asked_label is null then labels_a
            else {{ list_filter('labels_a', 'label', 'label <> asked_label') }}
        end as other_labels_a,
        case
            when asked_label is null then labels_b
            else {{ list_filter('labels_b', 'label', 'label <> asked_label') }}
        end as other_labels_b,
        case
            when asked_label is null then object_counts_a
            when labels_a is not null then cast(coalesce(asked_count_a, 0) as string)
        end as counted_a,
        case
            when asked_label is null then object_counts_b
            when labels_b is not null then cast(coalesce(asked_count_b, 0) as string)
        end as counted_b,
        abs(shadow_angle_a - shadow_angle_b) as angle_difference
    from measured_pairs
),

compared_pairs as (
    select
        *,
        array_contains(edit_families, 'flip') as is_flipped,
        array_contains(edit_families, 'shadow_turn') as is_shadow_turned,
        array_contains(edit_families, 'silhouette') as is_silhouette,
        array_contains(edit_families, 'zoom') as is_zoomed,
        -- an edit that changes nothing is left out
        n_changed_inside > 0 as is_edit_seen,
        {{ jaccard(
            list_intersect_size('other_labels_a', 'other_labels_b'),
            list_length('other_labels_a'),
            list_length('other_labels_b')
        ) }} as shared_other_labels,
        {{ list_intersect_size('colored_labels_a', 'colored_labels_b') }}
            as n_colored_on_both,
        {{ list_intersect_size('label_colors_a', 'label_colors_b') }} as n_colored_alike,
        90 - abs(90 - (angle_difference - 180 * floor(angle_difference / 180)))
            as axis_difference
    from labelled_pairs
),

-- each factor: what is measured of both pictures, and whether it varies
varied_pairs as (
    select
        pair_id, bias_type,
        asked_label_a as object_category_a,
        asked_label_b as object_category_b,
        case when is_edited then false else asked_label_a <> asked_label_b end
            as is_object_category_varied,
        counted_a as object_count_a,
        counted_b as object_count_b,
        case when is_edited then false else counted_a <> counted_b end
            as is_object_count_varied,
        {{ array_join('other_labels_a', "', '") }} as other_objects_a,
        {{ array_join('other_labels_b', "', '") }} as other_objects_b,
        case
            when is_edited then false
            when other_labels_a is not null and other_labels_b is not null
                then shared_other_labels < {{ rc_threshold('same_objects') }}
        end as is_other_objects_varied,
        cast(depth_left_a as string) as orientation_a,
        case when is_flipped then 'flipped' else cast(depth_left_b as string) end
            as orientation_b,
        case
            when is_flipped then is_edit_seen
            when is_edited then false
            else abs(depth_left_a - depth_left_b) > {{ rc_threshold('orientation_depth') }}
        end as is_orientation_varied,
        cast(shadow_angle_a as string) as shadow_direction_a,
        case when is_shadow_turned then 'turned' else cast(shadow_angle_b as string) end
            as shadow_direction_b,
        case
            when is_shadow_turned then is_edit_seen
            when is_edited then false
            else axis_difference > {{ var('shadow_tolerance_degrees') }}
        end as is_shadow_direction_varied,
        cast(taken_at_a as string) as capture_time_a,
        cast(taken_at_b as string) as capture_time_b,
        case
            when is_edited then false
            when has_third_picture
                then
                    least({{ minutes_ab }}, {{ minutes_bc }}, {{ minutes_ac }})
                    >= {{ rc_threshold('same_minutes') }}
            else {{ minutes_ab }} >= {{ rc_threshold('same_minutes') }}
        end as is_capture_time_varied,
        scene_a as context_a,
        scene_b as context_b,
        case
            when is_edited then false
            when has_third_picture then scene_a <> scene_b or scene_b <> scene_c
            else scene_a <> scene_b
        end as is_context_varied,
        coalesce(binding_a, {{ array_join('label_colors_a', "', '") }}) as color_binding_a,
        coalesce(binding_b, {{ array_join('label_colors_b', "', '") }}) as color_binding_b,
        case
            when is_edited then false
            when binding_a is not null then binding_a <> binding_b
            when n_colored_on_both > 0 then n_colored_alike < n_colored_on_both
        end as is_color_binding_varied,
        {{ array_join('place_names_a', "' '") }} as text_a,
        {{ array_join('place_names_b', "' '") }} as text_b,
        case when is_edited then false else place_names_a <> place_names_b end
            as is_text_varied,
        cast(asked_area_a as string) as scale_a,
        case when is_zoomed then 'zoomed' else cast(asked_area_b as string) end
            as scale_b,
        case
            when is_zoomed then is_edit_seen
            when is_edited then false
            else {{ area_ratio }} > {{ rc_threshold('same_size_ratio') }}
        end as is_scale_varied,
        'photograph' as texture_a,
        case when is_silhouette then 'silhouette' else 'photograph' end as texture_b,
        case when is_silhouette then is_edit_seen else false end as is_texture_varied,
        '0' as pixels_elsewhere_a,
        cast(n_changed_elsewhere as string) as pixels_elsewhere_b,
        n_changed_elsewhere > 0 as is_pixels_elsewhere_varied
    from compared_pairs
),

-- one read of the pairs for all of their factors, and the limit that each is held against
pair_measurements as (
    select pair_id, bias_type, {{ unnest_list(list_value(*measurements)) }} as measurement
    from varied_pairs
),

factors as (
    select
        pair_id, bias_type,
        measurement.factor as factor,
        measurement.measured_a as measured_a,
        measurement.measured_b as measured_b,
        measurement.threshold as threshold,
        measurement.is_varied as is_varied
    from pair_measurements
),

bias_policies as (select * from {{ ref('reality_check_factor_policies') }}),

-- in a compound a factor varies where either of its biases says so
combined_policies as (
    select
        compound_combinations.combination, first_policies.factor,
        case
            when 'varies' in (first_policies.policy, second_policies.policy) then 'varies'
            when 'recorded' in (first_policies.policy, second_policies.policy) then 'recorded'
            else 'holds'
        end as policy
    from {{ ref('reality_check_compound_combinations') }} as compound_combinations
    inner join bias_policies as first_policies
        on compound_combinations.first_bias = first_policies.bias_type
    inner join bias_policies as second_policies
        on
            compound_combinations.second_bias = second_policies.bias_type
            and first_policies.factor = second_policies.factor
),

factor_policies as (
    select bias_type as combination, factor, policy from bias_policies
    union all
    select combination, factor, policy from combined_policies
)

select factors.* {{ exclude('is_varied') }}, factor_policies.policy, factors.is_varied
from factors
inner join pairs using (pair_id)
inner join factor_policies
    on
        pairs.combination = factor_policies.combination
        and factors.factor = factor_policies.factor
