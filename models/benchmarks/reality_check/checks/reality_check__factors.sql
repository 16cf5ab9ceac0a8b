with

pairs as (

    select * from {{ ref('reality_check__pairs') }}
    where is_drawn

),

measurements as (

    select * from {{ ref('reality_check__measurements') }}

),

label_counts as (

    select * from {{ ref('reality_check__label_counts') }}

),

edits as (

    select * from {{ ref('reality_check__edits') }}

),

-- what is known of both pictures, or of all three; an edit's picture is that of its original
measured_pairs as (

    select
        pairs.pair_id,
        pairs.bias_type,
        pairs.recipe_family,
        pairs.edit_families,
        pairs.asked_label,
        pairs.binding_a,
        pairs.binding_b,
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
        edits.n_changed_elsewhere,
        edits.n_changed_inside
    from pairs
    left join measurements as measurements_a
        on pairs.image_a_id = measurements_a.image_id
    left join measurements as measurements_b
        on pairs.image_b_id = measurements_b.image_id
    left join measurements as measurements_c
        on pairs.image_c_id = measurements_c.image_id
    left join edits
        on pairs.pair_id = edits.pair_id
    left join label_counts as counts_a
        on
            pairs.image_a_id = counts_a.image_id
            and pairs.asked_label = counts_a.label
    left join label_counts as counts_b
        on
            pairs.image_b_id = counts_b.image_id
            and pairs.asked_label = counts_b.label

),

factors as (

    {{ measured_factors('measured_pairs') }}

),

factor_policies as (

    select * from {{ ref('reality_check__factor_policies') }}

),

final as (

    select
        factors.pair_id,
        factors.bias_type,
        factors.factor,
        factors.measured_a,
        factors.measured_b,
        factors.threshold,
        factor_policies.policy,
        factors.is_varied
    from factors
    inner join pairs
        on factors.pair_id = pairs.pair_id
    inner join factor_policies
        on
            pairs.combination = factor_policies.combination
            and factors.factor = factor_policies.factor

)

select * from final
