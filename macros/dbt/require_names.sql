{#-
    Stop before anything is built where a var is not one of the project's, or names what is not
    there. A misspelt name would otherwise match nothing, and the build would pass.
-#}
{% macro require_names() -%}
    {%- if execute %}
        {%- do require_known_vars() %}
        {%- do require_var_values() %}
        {#- of fewer benchmarks not all of the project is read that its own values name -#}
        {%- set is_part = var('benchmarks') | length < project_vars()['benchmarks'] | length %}
        {%- for name, known in names_of_vars().items()
            if not is_part or var(name) != project_vars()[name] %}
            {%- set given = var(name) %}
            {%- for value in ([given] if given is string else given) if not is_known_name(value, known) %}
                {%- do exceptions.raise_compiler_error(
                    'the var ' ~ name ~ ' names ' ~ value ~ ', which is not there'
                    ~ suggestion(value, known) ~ ' There are: ' ~ known | join(', ')
                ) %}
            {%- endfor %}
        {%- endfor %}
    {%- endif %}
{%- endmacro %}


{#- Every var that --vars gives must be one of `dbt_project.yml`. -#}
{% macro require_known_vars() -%}
    {%- set known = project_vars().keys() | list %}
    {%- for name in (invocation_args_dict.vars or {}) if name not in known %}
        {%- do exceptions.raise_compiler_error(
            'no var ' ~ name ~ suggestion(name, known)
            ~ ' The vars are those of dbt_project.yml.'
        ) %}
    {%- endfor %}
{%- endmacro %}


{#- The vars as `dbt_project.yml` has them, whatever --vars says. -#}
{% macro project_vars() -%}
    {%- set values = {} %}
    {%- for project in var.packages_for_node() %}
        {%- do values.update(project.vars.to_dict()) %}
    {%- endfor %}
    {{ return(values) }}
{%- endmacro %}


{#-
    Stop where --vars names a part of the house, by a var such as `benchmarks`, that `dbt_project.yml`
    does not list. Models are united over these names, so that dbt would stop before anything else
    is asked, at the first model that is not there.
-#}
{% macro require_listed(name) -%}
    {%- set known = project_vars()[name] %}
    {%- for value in var(name) if value not in known %}
        {%- do exceptions.raise_compiler_error(
            'the var ' ~ name ~ ' names ' ~ value ~ ', which is not there'
            ~ suggestion(value, known) ~ ' There are: ' ~ known | join(', ')
        ) %}
    {%- endfor %}
{%- endmacro %}


{#-
    For each var that names something the names that are there, read off the YAML: a seed's column
    says of which vars its accepted values are the names (`meta: {names_for_vars: [...]}`), and a model
    says so of names that no column holds (`meta: {names_of_vars: {...}}`). A column without
    accepted values has the names that its file has. The formats of exports are the models of their
    folder.
-#}
{% macro names_of_vars() -%}
    {%- set names = {} %}
    {%- set formats = [] %}
    {%- for node in graph.nodes.values() %}
        {%- if node.resource_type == 'seed' %}
            {%- set accepted = (node.config.meta.holds or {}).get('accepted_values', {}) %}
            {%- for column in node.columns.values() %}
                {%- for name in column.get('meta', {}).get('names_for_vars', []) %}
                    {%- set found = accepted.get(column.name)
                        or values_of_seed_file(node, column.name) %}
                    {%- if found %}
                        {%- do names.update({name: found}) %}
                    {%- endif %}
                {%- endfor %}
            {%- endfor %}
        {%- elif node.resource_type == 'model' %}
            {%- do names.update(node.config.meta.get('names_of_vars', {})) %}
            {%- if node.fqn[1:3] == ['exports', 'formats'] %}
                {%- do formats.append(node.name[('exports__' | length):] | replace('_', '-')) %}
            {%- endif %}
        {%- endif %}
    {%- endfor %}
    {%- for name in ['export_formats', 'export_finetuning_formats', 'export_mixes_read_blind'] %}
        {%- do names.update({name: formats | sort}) %}
    {%- endfor %}
    {{ return(names) }}
{%- endmacro %}


{#-
    The values in a column of a seed's file, which may not be in the warehouse yet. Spark's workers
    need not reach the file, so there is none there, and the var is not checked.
-#}
{% macro values_of_seed_file(seed, column) -%}
    {{ return(adapter.dispatch('values_of_seed_file', 'gainsay')(seed, column)) }}
{%- endmacro %}

{% macro spark__values_of_seed_file(seed, column) -%}
    {{ return([]) }}
{%- endmacro %}

{% macro duckdb__values_of_seed_file(seed, column) -%}
    {%- set query %}
        select distinct {{ column }}
        from read_csv(
            {{ text_literal(seed.root_path ~ '/' ~ seed.original_file_path) }},
            header = true, all_varchar = true
        )
        order by {{ column }}
    {%- endset %}
    {{ return(run_query(query).columns[0].values() | list) }}
{%- endmacro %}


{#- Whether a value is one of the names; where `a path` is one, so is whatever looks like one. -#}
{% macro is_known_name(value, known) -%}
    {{ return(
        value in known or ('a path' in known and ('/' in value or '.' in value))
    ) }}
{%- endmacro %}


{#- A question after the name that was meant, empty where none is like it. -#}
{% macro suggestion(given, known) -%}
    {%- set best = namespace(name=none, score=0.5) %}
    {%- for name in known %}
        {%- set pairs = letter_pairs(name) %}
        {%- set given_pairs = letter_pairs(given) %}
        {%- set n_shared = given_pairs | select('in', pairs) | list | length %}
        {%- set score = 2 * n_shared / ([pairs | length + given_pairs | length, 1] | max) %}
        {#- a name without its prefix is the commonest slip -#}
        {%- set score = 1 if name.endswith('_' ~ given) else score %}
        {%- if score > best.score %}
            {%- set best.name = name %}
            {%- set best.score = score %}
        {%- endif %}
    {%- endfor %}
    {{ return('; did you mean ' ~ best.name ~ '?' if best.name else '.') }}
{%- endmacro %}


{#- The pairs of letters that stand beside each other in a word. -#}
{% macro letter_pairs(word) -%}
    {%- set pairs = [] %}
    {%- for place in range(word | length - 1) %}
        {%- do pairs.append(word[place:place + 2]) %}
    {%- endfor %}
    {{ return(pairs) }}
{%- endmacro %}
