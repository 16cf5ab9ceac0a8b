{#-
    The single-factor rule of VLM Reality Check: what is measured of both pictures of a pair,
    whether it varies, and whether only what should vary does. The models and the gates' own fixtures go
    through the same macros.
-#}

{#- The columns that every bias's model of pairs has, in their order. -#}
{% macro reality_check_pair_columns() -%}
    {{ return([
        'pair_id', 'bias_type', 'image_a_id', 'image_b_id', 'image_c_id', 'difficulty',
        'asked_label', 'slots', 'options', 'correct_answer', 'distractor_answers', 'binding_a',
        'binding_b', 'metadata', 'truth_source', 'recipe_family', 'recipe_parameters',
        'recipe_rle', 'edit_families',
    ]) }}
{%- endmacro %}


{#- Columns of a pair that a bias has nothing for, by their names: nulls, and no edits. -#}
{% macro absent_pair_columns() -%}
    {%- for column in varargs -%}
        {%- if column not in reality_check_pair_columns() -%}
            {{ exceptions.raise_compiler_error(
                "absent_pair_columns: a pair has no column '" ~ column ~ "'; it has "
                ~ reality_check_pair_columns() | join(', ')
            ) }}
        {%- endif -%}
        {%- if column == 'edit_families' -%}
            {{ empty_list(dbt.type_string()) }} as edit_families
        {%- elif column == 'distractor_answers' -%}
            cast(null as {{ engine_type('varchar[]') }}) as distractor_answers
        {%- else -%}
            cast(null as {{ dbt.type_string() }}) as {{ column }}
        {%- endif -%}
        {{ ',\n        ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}


{#-
    The rows of all models of one kind, such as `pairs`, that `names` lists: biases
    (`reality_check_biases`) or combinations of two (`reality_check_compounds`).
-#}
{% macro union_of_biases(names, kind, columns) -%}
    {%- for name in names %}
    select
        {{ columns | join(',\n        ') }}
    from {{ ref('reality_check__' ~ name ~ '_' ~ kind) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#-
    One row per pair and factor: pair_id, bias_type, factor, measured_a, measured_b, threshold,
    is_varied; null where a side has no measurement. What an edit cannot change holds by
    construction. `measured_pairs` has the columns that `reality_check__factors` gives it.
-#}
{% macro measured_factors(measured_pairs) -%}
    {%- set text_type = dbt.type_string() %}
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
    with

    pairs as (

        select
            *,
            {{ list_length('edit_families') }} > 0 as is_edited,
            case
                when asked_label is null or labels_a is null then null
                when {{ list_contains('labels_a', 'asked_label') }} then asked_label
                else 'none'
            end as asked_label_a,
            case
                when asked_label is null or labels_b is null then null
                when {{ list_contains('labels_b', 'asked_label') }} then asked_label
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
                when labels_a is not null then cast(coalesce(asked_count_a, 0) as {{ text_type }})
            end as counted_a,
            case
                when asked_label is null then object_counts_b
                when labels_b is not null then cast(coalesce(asked_count_b, 0) as {{ text_type }})
            end as counted_b,
            abs(shadow_angle_a - shadow_angle_b) as angle_difference
        from {{ measured_pairs }}

    ),

    compared_pairs as (

        select
            *,
            {{ list_contains('edit_families', "'flip'") }} as is_flipped,
            {{ list_contains('edit_families', "'shadow_turn'") }} as is_shadow_turned,
            {{ list_contains('edit_families', "'silhouette'") }} as is_silhouette,
            {{ list_contains('edit_families', "'zoom'") }} as is_zoomed,
            -- an edit that changes nothing is none
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
        from pairs

    ),

    -- each factor: what is measured of both pictures, and whether it varies
    varied_pairs as (

        select
            pair_id,
            bias_type,

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
                    then shared_other_labels < {{ var('reality_check_same_objects') }}
            end as is_other_objects_varied,

            cast(depth_left_a as {{ text_type }}) as orientation_a,
            case when is_flipped then 'flipped' else cast(depth_left_b as {{ text_type }}) end
                as orientation_b,
            case
                when is_flipped then is_edit_seen
                when is_edited then false
                else abs(depth_left_a - depth_left_b) > {{ var('reality_check_orientation_depth') }}
            end as is_orientation_varied,

            cast(shadow_angle_a as {{ text_type }}) as shadow_direction_a,
            case when is_shadow_turned then 'turned' else cast(shadow_angle_b as {{ text_type }}) end
                as shadow_direction_b,
            case
                when is_shadow_turned then is_edit_seen
                when is_edited then false
                else axis_difference > {{ var('shadow_tolerance_degrees') }}
            end as is_shadow_direction_varied,

            cast(taken_at_a as {{ text_type }}) as capture_time_a,
            cast(taken_at_b as {{ text_type }}) as capture_time_b,
            case
                when is_edited then false
                when has_third_picture
                    then
                        least({{ minutes_ab }}, {{ minutes_bc }}, {{ minutes_ac }})
                        >= {{ var('reality_check_same_minutes') }}
                else {{ minutes_ab }} >= {{ var('reality_check_same_minutes') }}
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

            cast(asked_area_a as {{ text_type }}) as scale_a,
            case when is_zoomed then 'zoomed' else cast(asked_area_b as {{ text_type }}) end
                as scale_b,
            case
                when is_zoomed then is_edit_seen
                when is_edited then false
                else {{ area_ratio }} > {{ var('reality_check_same_size_ratio') }}
            end as is_scale_varied,

            'photograph' as texture_a,
            case when is_silhouette then 'silhouette' else 'photograph' end as texture_b,
            case when is_silhouette then is_edit_seen else false end as is_texture_varied,

            '0' as pixels_elsewhere_a,
            cast(n_changed_elsewhere as {{ text_type }}) as pixels_elsewhere_b,
            n_changed_elsewhere > 0 as is_pixels_elsewhere_varied
        from compared_pairs

    ),

    -- one read of the pairs for all of their factors, and the limit that each is held against
    pair_measurements as (

        select
            pair_id,
            bias_type,
            {{ unnest_list(list_value(
                one_factor('object_category'),
                one_factor('object_count'),
                one_factor('other_objects', var('reality_check_same_objects')),
                one_factor('orientation', var('reality_check_orientation_depth')),
                one_factor('shadow_direction', var('shadow_tolerance_degrees')),
                one_factor('capture_time', var('reality_check_same_minutes')),
                one_factor('context'),
                one_factor('color_binding'),
                one_factor('text'),
                one_factor('scale', var('reality_check_same_size_ratio')),
                one_factor('texture'),
                one_factor('pixels_elsewhere', 0)
            )) }} as measurement
        from varied_pairs

    ),

    factors as (

        select
            pair_id,
            bias_type,
            {{ struct_extract('measurement', 'factor') }} as factor,
            {{ struct_extract('measurement', 'measured_a') }} as measured_a,
            {{ struct_extract('measurement', 'measured_b') }} as measured_b,
            {{ struct_extract('measurement', 'threshold') }} as threshold,
            {{ struct_extract('measurement', 'is_varied') }} as is_varied
        from pair_measurements

    )

    select * from factors
{%- endmacro %}


{#- A struct of what `measured_factors` finds of one factor, from its columns named like it. -#}
{% macro one_factor(factor, threshold=none) -%}
    {{ struct_pack(
        factor="'" ~ factor ~ "'",
        measured_a=factor ~ '_a',
        measured_b=factor ~ '_b',
        threshold=dbt.safe_cast('null' if threshold is none else "'" ~ threshold ~ "'",
                                dbt.type_string()),
        is_varied='is_' ~ factor ~ '_varied'
    ) }}
{%- endmacro %}


{#-
    One row per pair of `factors`, which has measured_factors' columns and the factor's `policy`:
    whether the factor that should vary does, whether one does that should hold, how many that
    should hold nobody measured, and which factors vary, in words.
-#}
{% macro factor_verdicts(factors) -%}
    select
        pair_id,
        {{ array_agg(
            "case when policy <> 'recorded' and is_varied then factor_text end", order_by='factor'
        ) }} as varying_factors,
        {{ array_agg("case when policy = 'varies' then factor_text end", order_by='factor') }}
            as intended_factors,
        cast(sum(case when policy = 'holds' and is_varied is null then 1 else 0 end) as bigint)
            as n_unmeasured,
        min(case when policy = 'varies' then case when is_varied then 1 else 0 end end) = 1
            as is_intended_varied,
        max(case when policy = 'holds' and is_varied then 1 else 0 end) = 0 as are_others_held
    from (
        select
            *,
            factor || ' (' || coalesce(measured_a, 'unknown') || ', '
            || coalesce(measured_b, 'unknown') || ')' as factor_text
        from {{ factors }}
    ) as told_factors
    group by pair_id
{%- endmacro %}
