{#-
    What a model is made of, as dbt's graph of the project has it. All of these are empty while
    dbt parses, when there is no graph yet.
-#}

{#-
    The nodes that models are made of, themselves included: models, seeds and raw tables.
-#}
{% macro lineage_of(model_names) -%}
    {%- set nodes = [] %}
    {%- if execute %}
        {%- set waiting = [] %}
        {%- set known = [] %}
        {%- for name in model_names %}
            {%- do waiting.append('model.' ~ project_name ~ '.' ~ name) %}
        {%- endfor %}
        {#- the list grows while it is read, until all parents are known -#}
        {%- for node_id in waiting if node_id not in known %}
            {%- do known.append(node_id) %}
            {%- set node = graph.nodes.get(node_id) or graph.sources[node_id] %}
            {%- do nodes.append(node) %}
            {%- do waiting.extend((node.depends_on or {}).get('nodes', [])) %}
        {%- endfor %}
    {%- endif %}
    {{ return(nodes) }}
{%- endmacro %}


{#- The seeds among nodes, by name. -#}
{% macro seeds_of(nodes) -%}
    {{ return(
        nodes | selectattr('resource_type', 'equalto', 'seed') | sort(attribute='name') | list
    ) }}
{%- endmacro %}


{#-
    The kinds of landed files that the raw tables among nodes are read from. A table is read from
    files of its own name unless its YAML says otherwise (`meta: {file_kinds: [...]}`).
-#}
{% macro kinds_of_files(nodes) -%}
    {%- set kinds = [] %}
    {%- for node in nodes if node.resource_type == 'source' %}
        {%- do kinds.extend(node.config.meta.get('file_kinds', [node.name])) %}
    {%- endfor %}
    {{ return(kinds | unique | sort) }}
{%- endmacro %}


{#-
    The vars that decide what nodes hold: those that their SQL reads, or a macro that it calls,
    without those that only operate (the var `operating_vars`).
-#}
{% macro vars_of(nodes) -%}
    {%- set names = [] %}
    {%- set waiting = [] %}
    {%- set known = [] %}
    {%- for node in nodes if node.resource_type == 'model' %}
        {%- do names.extend(vars_in(node.raw_code)) %}
        {%- do waiting.extend(node.depends_on.macros) %}
    {%- endfor %}
    {#- the list grows while it is read, until all macros that macros call are known -#}
    {%- for macro_id in waiting
        if macro_id not in known and macro_id.startswith('macro.' ~ project_name ~ '.') %}
        {%- do known.append(macro_id) %}
        {%- set generator = context[project_name].get(macro_id.split('.')[-1]) %}
        {%- if generator %}
            {%- do names.extend(vars_in(generator.macro.macro_sql)) %}
            {%- do waiting.extend(generator.macro.depends_on.macros) %}
        {%- endif %}
    {%- endfor %}
    {{ return(names | unique | reject('in', var('operating_vars')) | sort) }}
{%- endmacro %}


{#-
    The names of the vars that a piece of SQL reads, by `var` or by a macro such as `decimal_var`;
    what it reads of the environment is no var.
-#}
{% macro vars_in(sql) -%}
    {#- `seed_var` names the var that seeds a choice -#}
    {%- set pattern = '(?:(?<!env_)var\\(\\s*|seed_var=)[\'"](\\w+)[\'"]' -%}
    {{ return(modules.re.findall(pattern, sql)) }}
{%- endmacro %}


{#- Texts as SQL literals behind each other; null for none, which `in` finds nowhere. -#}
{% macro text_literals(texts) -%}
    {%- for text in texts -%}
        {{ text_literal(text) }}{{ ', ' if not loop.last }}
    {%- else -%}
        null
    {%- endfor -%}
{%- endmacro %}
