{#-
    What a record of v1 is: its content hash covers these columns, in this order, and stays
    comparable whatever columns join the examples later.
-#}
{%- set record_columns = [
    'example_id', 'base_id', 'variant_id', 'question_id', 'image_id', 'source_image_id',
    'image_file', 'text_input', 'question', 'gold_answer', 'split', 'base_split', 'family',
    'operator', 'corrupt_modality', 'text_state', 'image_state', 'answer_type',
    'evidence_modality', 'oracle_action', 'template_id', 'donor_base_id', 'edit_kind',
    'edited_from', 'edited_to', 'vision_family', 'vision_scale', 'vision_seed_key',
    'record_version', 'severity', 'donor_jaccard', 'vision_area_fraction',
    'heldout_family_flag', 'heldout_severity_flag', 'hard_swap_flag',
] -%}

-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

with

examples as (

    select * from {{ ref('conflict_suite__examples') }}

),

files as (

    select * from {{ ref('stg_gainsay__landed_files') }}
    where kind <> 'clash_samples'

),

integrity as (

    select * from {{ ref('conflict_suite__integrity') }}

),

-- the example ids of a split, sorted, one on each line
splits as (

    select
        split,
        count(*) as n_examples,
        {{ sha256_hex(listagg_lines('example_id', 'example_id')) }} as ids_sha256
    from examples
    group by split

),

-- rows hash first, so that only hashes of one length are joined
content as (

    select
        count(*) as n_examples,
        {{ sha256_hex(
            "coalesce(" ~ listagg_lines('row_sha256', 'example_id') ~ ", '')"
        ) }} as content_sha256
    from (
        select
            example_id,
            {{ sha256_hex(canonical_row(record_columns)) }}
                as row_sha256
        from examples
    ) as hashed_rows

),

-- an entry stands on one line where it can, so that the arms read as a list
-- noqa: disable=layout.select_targets
entries as (

    select
        'content' as section,
        'examples' as item,
        'n' as measure,
        cast(n_examples as {{ dbt.type_string() }}) as value
    from content
    union all
    select 'content', 'examples', 'sha256', content_sha256
    from content
    union all
    select 'split', split, 'n', cast(n_examples as {{ dbt.type_string() }})
    from splits
    union all
    select 'split', split, 'sha256', ids_sha256
    from splits
    union all
    {{ distribution('family') }}
    union all
    {{ distribution('operator') }}
    union all
    {{ distribution('severity') }}
    union all
    {{ distribution('split') }}
    union all
    {%- for name in configuration() %}
        select 'configuration', '{{ name }}', 'value', {{ text_literal(var(name)) }}
        union all
    {%- endfor %}
    {{ vocabulary_hash('boolean_answers') }}
    union all
    {{ vocabulary_hash('category_words') }}
    union all
    {{ vocabulary_hash('colors') }}
    union all
    {{ vocabulary_hash('editor_policies') }}
    union all
    {{ vocabulary_hash('lexicon_agreement') }}
    union all
    {{ vocabulary_hash('lexicon_boundaries') }}
    union all
    {{ vocabulary_hash('lexicon_contexts') }}
    union all
    {{ vocabulary_hash('lexicon_forbidden') }}
    union all
    {{ vocabulary_hash('lexicon_generics') }}
    union all
    {{ vocabulary_hash('lexicon_openers') }}
    union all
    {{ vocabulary_hash('lexicon_swaps') }}
    union all
    {{ vocabulary_hash('lexicon_terms') }}
    union all
    {{ vocabulary_hash('negatable_verbs') }}
    union all
    {{ vocabulary_hash('number_words') }}
    union all
    {{ vocabulary_hash('oracle_policy') }}
    union all
    {{ vocabulary_hash('question_families') }}
    union all
    {{ vocabulary_hash('question_openings') }}
    union all
    {{ vocabulary_hash('stop_words') }}
    union all
    {{ vocabulary_hash('variant_definitions') }}
    union all
    select 'input', source_file, 'sha256', sha256
    from files
    union all
    select 'input', source_file, 'n_records', cast(n_records as {{ dbt.type_string() }})
    from files
    union all
    select 'input', source_file, 'n_rejected', cast(n_rejected as {{ dbt.type_string() }})
    from files
    union all
    select 'code', 'gainsay', 'version', '{{ var("code_version") }}'
    union all
    select 'code', 'models', 'md5', '{{ code_fingerprint() }}'
    union all
    select 'integrity', check_name, 'n_violations', cast(n_violations as {{ dbt.type_string() }})
    from integrity

)
-- noqa: enable=layout.select_targets

select * from entries
