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


{#- The rows of all biases in use, of their models of one kind, such as `pairs`. -#}
{% macro union_of_biases(kind, columns) -%}
    {%- for bias in var('reality_check_biases') %}
    select
        {{ columns | join(',\n        ') }}
    from {{ ref('reality_check__' ~ bias ~ '_' ~ kind) }}
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
            {{ jaccard(
                list_intersect_size('other_labels_a', 'other_labels_b'),
                list_length('other_labels_a'),
                list_length('other_labels_b')
            ) }} as shared_other_labels,
            90 - abs(90 - (angle_difference - 180 * floor(angle_difference / 180)))
                as axis_difference
        from pairs

    ),

    -- an edit that changes nothing is none
    factors as (

        select
            pair_id,
            bias_type,
            'object_category' as factor,
            asked_label_a as measured_a,
            asked_label_b as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case when is_edited then false else asked_label_a <> asked_label_b end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'object_count' as factor,
            counted_a as measured_a,
            counted_b as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case when is_edited then false else counted_a <> counted_b end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'other_objects' as factor,
            {{ array_join('other_labels_a', "', '") }} as measured_a,
            {{ array_join('other_labels_b', "', '") }} as measured_b,
            '{{ var("reality_check_same_objects") }}' as threshold,
            case
                when is_edited then false
                when other_labels_a is not null and other_labels_b is not null
                    then shared_other_labels < {{ var('reality_check_same_objects') }}
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'orientation' as factor,
            cast(depth_left_a as {{ text_type }}) as measured_a,
            case
                when {{ list_contains('edit_families', "'flip'") }} then 'flipped'
                else cast(depth_left_b as {{ text_type }})
            end as measured_b,
            '{{ var("reality_check_orientation_depth") }}' as threshold,
            case
                when {{ list_contains('edit_families', "'flip'") }} then n_changed_inside > 0
                when is_edited then false
                else abs(depth_left_a - depth_left_b) > {{ var('reality_check_orientation_depth') }}
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'shadow_direction' as factor,
            cast(shadow_angle_a as {{ text_type }}) as measured_a,
            case
                when {{ list_contains('edit_families', "'shadow_turn'") }} then 'turned'
                else cast(shadow_angle_b as {{ text_type }})
            end as measured_b,
            '{{ var("shadow_tolerance_degrees") }}' as threshold,
            case
                when {{ list_contains('edit_families', "'shadow_turn'") }} then n_changed_inside > 0
                when is_edited then false
                else axis_difference > {{ var('shadow_tolerance_degrees') }}
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'capture_time' as factor,
            cast(taken_at_a as {{ text_type }}) as measured_a,
            cast(taken_at_b as {{ text_type }}) as measured_b,
            '{{ var("reality_check_same_minutes") }}' as threshold,
            case
                when is_edited then false
                when has_third_picture
                    then
                        least({{ minutes_ab }}, {{ minutes_bc }}, {{ minutes_ac }})
                        >= {{ var('reality_check_same_minutes') }}
                else {{ minutes_ab }} >= {{ var('reality_check_same_minutes') }}
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'context' as factor,
            scene_a as measured_a,
            scene_b as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case
                when is_edited then false
                when has_third_picture then scene_a <> scene_b or scene_b <> scene_c
                else scene_a <> scene_b
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'color_binding' as factor,
            binding_a as measured_a,
            binding_b as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case when is_edited then false else binding_a <> binding_b end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'text' as factor,
            {{ array_join('place_names_a', "' '") }} as measured_a,
            {{ array_join('place_names_b', "' '") }} as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case when is_edited then false else place_names_a <> place_names_b end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'scale' as factor,
            cast(asked_area_a as {{ text_type }}) as measured_a,
            case
                when {{ list_contains('edit_families', "'zoom'") }} then 'zoomed'
                else cast(asked_area_b as {{ text_type }})
            end as measured_b,
            '{{ var("reality_check_same_size_ratio") }}' as threshold,
            case
                when {{ list_contains('edit_families', "'zoom'") }} then n_changed_inside > 0
                when is_edited then false
                else {{ area_ratio }} > {{ var('reality_check_same_size_ratio') }}
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'texture' as factor,
            'photograph' as measured_a,
            case
                when {{ list_contains('edit_families', "'silhouette'") }} then 'silhouette'
                else 'photograph'
            end as measured_b,
            cast(null as {{ text_type }}) as threshold,
            case
                when {{ list_contains('edit_families', "'silhouette'") }} then n_changed_inside > 0
                else false
            end as is_varied
        from compared_pairs
        union all
        select
            pair_id,
            bias_type,
            'pixels_elsewhere' as factor,
            '0' as measured_a,
            cast(n_changed_elsewhere as {{ text_type }}) as measured_b,
            '0' as threshold,
            n_changed_elsewhere > 0 as is_varied
        from compared_pairs

    )

    select * from factors
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
