{#-
    Every var, for the manifest's configuration echo. A test keeps this list equal to the
    vars of dbt_project.yml.
-#}
{% macro configuration() -%}
    {{ return([
        'seed',
        'conflict_suite_consistency_filter',
        'short_token_length',
        'conflict_suite_jaccard_min',
        'conflict_suite_jaccard_max',
        'conflict_suite_easy_walk_windows',
        'conflict_suite_hard_walk_windows',
        'conflict_suite_last_number_edited_up',
        'conflict_suite_train_share',
        'conflict_suite_val_share',
        'conflict_suite_heldout_family',
        'conflict_suite_heldout_severity',
        'conflict_suite_heldout_hard_swap',
        'conflict_suite_include_both_variant',
        'conflict_suite_refined_protocols',
        'conflict_suite_require_disjoint_templates',
        'conflict_suite_pilot_size',
        'conflict_suite_refined_image_donor_window',
        'editor_policy',
        'max_image_bytes',
        'max_image_pixels',
        'render_images',
        'occlusions_mask_dilation_pixels',
        'occlusions_answerable_no_more_share',
        'occlusions_still_answerable_share',
        'occlusions_oracle_protocol',
        'duplicate_distance',
        'inpainter',
        'detector',
        'detector_confidence',
        'depth_network',
        'annotate_shadow',
        'annotate_texture',
        'annotate_ocr',
        'sun_method',
        'shadow_tolerance_degrees',
        'ocr_confidence',
        'ocr_short_word_length',
        'conflict_suite_record_version',
        'code_version',
    ]) }}
{%- endmacro %}


{#- The columns of a model or seed as its YAML lists them, in that order. -#}
{% macro documented_columns(name) -%}
    {%- set columns = [] %}
    {%- if execute %}
    {%- for node in graph.nodes.values()
        if node.name == name and node.resource_type in ('model', 'seed') %}
        {%- for column in node.columns.values() %}
            {%- do columns.append(column.name) %}
        {%- endfor %}
    {%- endfor %}
    {%- endif %}
    {{ return(columns or ['null']) }}
{%- endmacro %}


{#- One hash over the SQL files of the project's models, and of its seeds. -#}
{% macro code_fingerprint() -%}
    {%- set checksums = [] %}
    {%- if execute %}
    {%- for node in graph.nodes.values()
        if node.resource_type in ('model', 'seed') and node.package_name == project_name %}
        {%- do checksums.append(node.name ~ ':' ~ node.checksum.checksum) %}
    {%- endfor %}
    {%- endif %}
    {{ return(local_md5(checksums | sort | join('\n'))) }}
{%- endmacro %}


{#- The distribution of one column of the examples, as manifest entries. -#}
{% macro distribution(column) -%}
    select
        'distribution' as section,
        '{{ column }}' as item,
        cast({{ column }} as {{ dbt.type_string() }}) as measure,
        cast(count(*) as {{ dbt.type_string() }}) as value
    from examples
    group by {{ column }}
{%- endmacro %}


{#- The rows and the content hash of one vocabulary, as manifest entries. -#}
{% macro vocabulary_hash(seed) -%}
    select
        'vocabulary' as section,
        '{{ seed }}' as item,
        'sha256' as measure,
        {{ sha256_hex("coalesce(" ~ listagg_lines('canonical', 'canonical') ~ ", '')") }} as value
    from (
        select {{ canonical_row(documented_columns(seed)) }} as canonical
        from {{ ref(seed) }}
    ) as vocabulary_rows
{%- endmacro %}


{#- The rows of the CTE named like a check, in the one shape of all violations. -#}
{% macro violations_of(check_name) -%}
    select
        '{{ check_name }}' as check_name,
        cast(record_id as {{ dbt.type_string() }}) as record_id,
        cast(found as {{ dbt.type_string() }}) as found
    from {{ check_name }}
{%- endmacro %}
