{#-
    Files that other tools read as they are.
-#}

{#-
    How the model of an export's format is kept: where the var `export_formats` names the format
    as files below `GAINSAY_EXPORTS`, else as a view of what those files would hold. Files are
    counted against `exports__deliverable`, which is built before them; so is what their card quotes of
    the blind reader, by the vars `export_finetuning_formats` and `export_mixes_read_blind`.
-#}
{% macro kept_as(export_format) -%}
    {%- do ref('exports__deliverable') %}
    {%- if export_format in var('export_formats') %}
        {%- if export_format in var('export_finetuning_formats') %}
            {%- do ref('audit__blind_guesses') %}
        {%- endif %}
        {%- if export_format in var('export_mixes_read_blind') %}
            {%- do ref('audit__blind_scores') %}
        {%- endif %}
    {%- endif %}
    {{ return('external' if export_format in var('export_formats') else 'view') }}
{%- endmacro %}


{#- On Spark a view: once dbt is through, `gainsay` has executors write what it shows. -#}
{% materialization external, adapter='spark' %}
    {{ return(materialization_view_spark()) }}
{% endmaterialization %}


{#- A file's name without the folders, or the archive, before it. -#}
{% macro file_name(path) -%}
    {{ regexp_replace(path, '^.*[/!]', '') }}
{%- endmacro %}


{#- The ending of a file's name from its last full stop on, in lower case; empty without one. -#}
{% macro file_suffix(path) -%}
    lower({{ regexp_extract(file_name(path), '[.][^.]*$') }})
{%- endmacro %}


{#-
    Every benchmark's rows of the port `__examples`, and of the further columns that records have
    where the YAML of its examples lists them.
-#}
{% macro union_of_exported_examples() -%}
    {%- set further_columns = {
        'base_id': 'string',
        'variant_id': 'string',
        'question_id': 'bigint',
        'corrupt_modality': 'string',
        'severity': 'int',
        'answer_type': 'string',
        'oracle_action': 'string',
        'answer': 'string',
        'other_answer': 'string',
        'answer_shares': 'string',
        'doubt_share': 'double',
        'instruction': 'string',
        'stem_is_one_sided': 'boolean',
        'is_in_finetuning_mix': 'boolean',
    } %}
    {%- for benchmark in var('benchmarks') %}
    {%- set examples = benchmark ~ '__examples' %}
    {%- set known = documented_columns(examples) %}
    select
        '{{ benchmark }}' as benchmark,
        {{ port_columns('examples') | join(',\n        ') }}
        {%- for column, type in further_columns.items() %},
        {% if column in known %}{{ column }}{% else %}cast(null as {{ type }}) as {{ column }}{% endif %}
        {%- endfor %}
    from {{ ref(examples) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#-
    The pictures of a CTE's lists `shown_pictures`, one row each with its place from 1: at most three,
    and rows without an image in the place of those that a list has not. `keys` are the columns that
    name the list.
-#}
{% macro listed_pictures(lists, keys) -%}
    {%- for path in ['$[0]', '$[1]', '$[2]'] %}
    select
        {{ keys | join(',\n        ') }},
        {{ loop.index }} as place,
        {{ json_extract_string('shown_pictures', path ~ '.image_id') }} as shown_image_id,
        {{ json_extract_string('shown_pictures', path ~ '.recipe_id') }} as recipe_id
    from {{ lists }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#- The columns that describe a record in every format that has room for them. -#}
{% macro record_fields() -%}
    example_id,
    base_id,
    variant_id,
    question_id,
    source_image_id,
    text_input,
    question,
    gold_answer,
    split,
    family,
    operator,
    corrupt_modality,
    severity,
    answer_type,
    oracle_action,
    record_version,
    license_name,
    license_url,
    flickr_url,
    case when picture_state = 'available' then image end as picture_file,
    picture_state
{%- endmacro %}


{#-
    The fine-tuning mix of CLASH for trainers that read conversations: each sample's bare question, its
    choices and what a model should answer to either.
-#}
{% macro clash_conversations() -%}
    select
        example_id,
        sample_id,
        condition,
        split,
        source_image_id,
        change_type,
        category,
        license_name,
        license_url,
        flickr_url,
        caption_shown,
        question,
        choices,
        '(' || right_letter || ')' as letter_target,
        right_choice as text_target,
        image,
        image_path,
        image_archive,
        photograph_name,
        picture_state,
        name_state
    from {{ ref('exports__clash_finetuning') }}
    where picture_state = 'available' or name_state = 'available'
{%- endmacro %}


{#-
    The lists of pictures that benchmarks show at once, rows `benchmark, example_id, shown_pictures`:
    of those whose own `__prompts` lists a column of that name. Prompts in other languages than the
    examples' have keys of their own, which no example has.
-#}
{% macro union_of_picture_lists() -%}
    {%- set asked_together = [] %}
    {%- for names in var('shared_ports').prompts.values() %}
        {%- do asked_together.extend(names) %}
    {%- endfor %}
    {%- for benchmark in var('benchmarks') if benchmark not in asked_together %}
    {%- set prompts = ref(benchmark ~ '__prompts') %}
    {%- if 'shown_pictures' in columns_of_types(benchmark ~ '__prompts', ['string']) %}
    select
        '{{ benchmark }}' as benchmark,
        example_key as example_id,
        shown_pictures
    from {{ prompts }}
    union all
    {%- endif %}
    {%- endfor %}
    select
        cast(null as string) as benchmark,
        cast(null as string) as example_id,
        cast(null as string) as shown_pictures
{%- endmacro %}
