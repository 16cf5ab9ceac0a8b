{#-
    The columns of each port, as docs/adding_a_benchmark.md lists them; a test keeps the two
    equal.
-#}
{% macro port_columns(port) -%}
    {%- set columns = {
        'gates': [
            'screening', 'stage_order', 'stage', 'reason', 'sees_captions', 'description',
        ],
        'screened': [
            'candidate_id', 'screening', 'family', 'source_image_id', 'question_id', 'image_id',
            'image_file', 'question', 'answer', 'gold_answer', 'evidence_words', 'texts_seen',
            'drop_stage', 'drop_reason', 'drop_detail', 'is_retained',
        ],
        'examples': [
            'example_id', 'group_id', 'source_image_id', 'shown_image_id', 'recipe_id',
            'image_id', 'image_file', 'split', 'family', 'operator', 'text_input', 'question',
            'gold_answer', 'target', 'record_version',
        ],
        'groups': ['group_id', 'example_id', 'condition', 'role'],
        'render_recipes': [
            'recipe_id', 'source_image_id', 'family', 'seed_key', 'rle', 'parameters',
            'severity', 'area_fraction',
        ],
        'renderings': [
            'recipe_id', 'render_key', 'source_image_id', 'image_sha256', 'path', 'archive',
            'family', 'scale', 'rle', 'seed_key', 'inpainter', 'parameters', 'severity',
            'box_left', 'box_top', 'box_width', 'box_height', 'rendered_file', 'sha256',
            'error_kind', 'error', 'n_bytes',
        ],
        'prompts': [
            'example_id', 'example_key', 'asked_example_id', 'task', 'condition',
            'source_image_id', 'image_id', 'shown_image_id', 'recipe_id', 'question', 'context', 'choices', 'instruction',
            'prompt_version',
        ],
        'guesses': [
            'task', 'condition', 'guessed', 'example_id', 'group_id', 'split', 'label',
            'question', 'context', 'choices', 'slices',
        ],
        'outcomes': [
            'source_file', 'file_position', 'matcher', 'example_id', 'slices', 'credit',
            'confidence', 'oracle_action', 'is_correct', 'was_correct', 'is_abstained',
            'is_gold_abstained', 'is_contradiction', 'is_image_only', 'is_text_only',
            'is_distractor', 'is_none', 'is_yes', 'is_gold_yes', 'is_rated', 'extraction',
        ],
        'measures': [
            'source_file', 'file_position', 'matcher', 'metric', 'numerator', 'denominator',
        ],
        'matchers': ['task', 'place', 'matcher', 'version', 'description'],
        'metrics': [
            'metric', 'place', 'part_of', 'unit', 'better', 'better_when', 'needs', 'is_ranked',
            'target', 'description',
        ],
        'manifest': ['protocol', 'section', 'item', 'measure', 'value'],
        'release_texts': ['field', 'place', 'text'],
        'review_records': [
            'queue', 'record_id', 'record_md5', 'image_id', 'split', 'draw', 'asked_questions',
            'picture_roles', 'picture_ids', 'texts', 'choices',
        ],
    } %}
    {%- if port not in columns %}
        {{ exceptions.raise_compiler_error(
            "no port '" ~ port ~ "'; the ports are " ~ columns.keys() | join(', ')
        ) }}
    {%- endif %}
    {{ return(columns[port]) }}
{%- endmacro %}


{#-
    The columns of an outcome of which a matcher says nothing, as nulls: all but those named, which
    stand beside them. Ids, slices, credit and confidence are every matcher's own.
-#}
{% macro other_outcomes() -%}
    {%- set findings = port_columns('outcomes')[7:] %}
    {%- for name in varargs if name not in findings %}
        {{ exceptions.raise_compiler_error(
            "an outcome has no column '" ~ name ~ "' that may be null; it has "
            ~ findings | join(', ')
        ) }}
    {%- endfor %}
    {%- for name in findings if name not in varargs %}
        cast(
            null as {{ 'string' if name in ['oracle_action', 'extraction'] else 'boolean' }}
        ) as {{ name }}
        {{- ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}


{#- The rows of several models, of the columns that they have in common and that are read. -#}
{% macro union_of_models(model_names, columns) -%}
    {%- for name in model_names %}
    select
        {{ columns | join(',\n        ') }}
    from {{ ref(name) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#-
    Every benchmark's rows of a port, behind a column `benchmark`: a union over the var
    `benchmarks`, and over `question_sets` where the port is one that they publish, too; of records
    for review over the var `reviewed`. Benchmarks that the var `absent_ports` names have no row of
    the port. What the var `shared_ports` names is one model or seed of several benchmarks, which
    has that column already. `columns` are those that are read, all of the port's where none are
    named; `publishers` are the benchmarks, where the vars are not.
-#}
{% macro union_of_ports(port, columns=[], with_question_sets=false, publishers=[]) -%}
    {%- set known = port_columns(port) %}
    {%- for column in columns if column not in known %}
        {{ exceptions.raise_compiler_error(
            "the port '" ~ port ~ "' has no column '" ~ column ~ "'; it has " ~ known | join(', ')
        ) }}
    {%- endfor %}
    {%- do require_listed('benchmarks') %}
    {%- do require_listed('question_sets') %}
    {%- do require_listed('reviewed') %}
    {%- set listed = var('benchmarks') + (var('question_sets') if with_question_sets else []) %}
    {%- set wanted = publishers or (var('reviewed') if port == 'review_records' else listed) %}
    {%- set shared = namespace(names=[]) %}
    {%- set selects = [] %}
    {%- for model, names in var('shared_ports').get(port, {}).items() %}
        {%- set named = names | select('in', wanted) | list %}
        {%- set shared.names = shared.names + names %}
        {%- if named %}
            {%- do selects.append((model, named if named != names else [])) %}
        {%- endif %}
    {%- endfor %}
    {%- set absent = var('absent_ports').get(port, []) %}
    {%- for publisher in wanted if publisher not in shared.names and publisher not in absent %}
        {%- do selects.append((publisher ~ '__' ~ port, publisher)) %}
    {%- endfor %}
    {%- for model, names in selects %}
    select
        {% if names is string %}'{{ names }}' as {% endif %}benchmark,
        {{ (columns or known) | join(',\n        ') }}
    from {{ ref(model) }}
    {%- if names and names is not string %}
    where benchmark in ('{{ names | join("', '") }}')
    {%- endif %}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
    {%- if not selects %}
    {{ no_rows(['benchmark'] + (columns or known)) }}
    {%- endif %}
{%- endmacro %}


{#- A port of recipes or renderings that no benchmark at hand publishes. -#}
{% macro no_rows(columns) -%}
    {%- set types = {
        'severity': 'int', 'area_fraction': 'double', 'box_left': 'bigint', 'box_top': 'bigint',
        'box_width': 'bigint', 'box_height': 'bigint', 'n_bytes': 'bigint',
    } %}
    select
    {%- for column in columns %}
        cast(null as {{ types.get(column, 'string') }}) as {{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
    where false
{%- endmacro %}


{#- The benchmarks of which the var `shared_ports` says that this model publishes a port. -#}
{% macro publishers_of(model) -%}
    {%- set names = namespace(all=[]) %}
    {%- for models in var('shared_ports').values() if model in models %}
        {%- set names.all = models[model] %}
    {%- endfor %}
    {{ return(names.all) }}
{%- endmacro %}


{#- Those of them that the vars `benchmarks` and `question_sets` list. -#}
{% macro listed_of(model) -%}
    {{ return(
        publishers_of(model) | select('in', var('benchmarks') + var('question_sets')) | list
    ) }}
{%- endmacro %}


{#- Those that are listed, or all where none is: a model has to be made of some. -#}
{% macro benchmarks_of(model) -%}
    {{ return(listed_of(model) or publishers_of(model)) }}
{%- endmacro %}


{#-
    Every benchmark's rows of a port, and of further columns as text where the YAML of its model
    lists them with one of the `types`, by default text and whole numbers; null elsewhere. `columns`
    are those of the port that are read, all where none are named.
-#}
{% macro union_of_described(
    port, further_columns, columns=[], types=['string', 'int', 'integer', 'bigint']
) -%}
    {%- for benchmark in var('benchmarks') %}
    {%- set model = benchmark ~ '__' ~ port %}
    {%- set known = columns_of_types(model, types) %}
    select
        '{{ benchmark }}' as benchmark,
        {{ (columns or port_columns(port)) | join(',\n        ') }}
        {%- for column in further_columns %},
        cast({{ column if column in known else 'null' }} as string) as {{ column }}
        {%- endfor %}
    from {{ ref(model) }}
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#- The columns of a model that its YAML lists with one of these types; a unit test sees no YAML. -#}
{% macro columns_of_types(name, types) -%}
    {%- set columns = [] %}
    {%- if execute %}
    {%- for node in (graph.nodes or {}).values()
        if node.name == name and node.resource_type == 'model' %}
        {%- for column in node.columns.values() if column.data_type in types %}
            {%- do columns.append(column.name) %}
        {%- endfor %}
    {%- endfor %}
    {%- endif %}
    {{ return(columns) }}
{%- endmacro %}
