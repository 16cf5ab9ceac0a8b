{#-
    On run end: which tables and seeds were built and of what, one row each and invocation, in
    `audit.audit__built_models`; and the view `audit.audit__raw_contents`, which says what the raw
    tables hold now. On Spark nothing: no page is shown of it.
-#}
{% macro keep_built(results) %}
    {%- set nodes = [] %}
    {%- for result in results
        if result.node.resource_type in ('model', 'seed') and result.status == 'success' %}
        {%- do nodes.append(graph.nodes[result.node.unique_id]) %}
    {%- endfor %}
    {%- if nodes and target.type == 'duckdb' %}
        {%- do run_query('create schema if not exists audit') %}
        {%- do run_query(create_built_models()) %}
        {%- do run_query(create_raw_contents()) %}
        {%- set rows = built_rows(nodes) %}
        {%- if rows %}
            {%- set new_rows -%}
                insert into audit.audit__built_models values {{ rows | join(', ') }}
            {%- endset %}
            {%- do run_query(new_rows) %}
        {%- endif %}
    {%- endif %}
{% endmacro %}


{#- The table as it is described in models/audit/_sources.yml. -#}
{% macro create_built_models() -%}
    create table if not exists audit.audit__built_models (
        invocation_id string,
        model string,
        reads string,
        content string,
        started_at timestamp
    )
{%- endmacro %}


{#-
    The view as it is described in models/audit/_sources.yml: a hash of what each raw table holds, the
    same however often the same files land. Of rows of files it is that of the files' own hashes,
    which costs nothing; the columns that tell the rows of other tables apart are named in their YAML
    (`meta: {content: [...]}`). What only describes other raw tables has none.
-#}
{% macro create_raw_contents() -%}
    {%- set kinds, others = [], [] %}
    {%- for source in graph.sources.values() if source.schema == 'raw' %}
        {%- if source.config.meta.get('content') %}
            {%- do others.append(source) %}
        {%- elif '_source_sha256' in source.columns and 'content' not in source.config.meta %}
            {%- for kind in kinds_of_files([source]) %}
                {%- set row %}({{ text_literals([source.name, kind]) }}){% endset %}
                {%- do kinds.append(row) %}
            {%- endfor %}
        {%- endif %}
    {%- endfor -%}
    create or replace view audit.audit__raw_contents as
    select kinds.relation, {{ row_contents('source_file, sha256', 'source_file') }} as content
    from (values {{ kinds | join(', ') }}) as kinds (relation, kind)
    left join raw.landed_files using (kind)
    group by kinds.relation
    {%- for source in others %}
    {%- set columns = source.config.meta.content | join(', ') %}
    union all
    select {{ text_literal(source.name) }}, {{ row_contents(columns) }}
    from (select distinct {{ columns }} from raw.{{ source.name }})
    {%- endfor %}
{%- endmacro %}


{#- How many rows, and a hash of them that their order does not change; `key` is null of none. -#}
{% macro row_contents(columns, key='*') -%}
    count({{ key }}) || '-' || coalesce(bit_xor(hash({{ columns }})), 0)
{%- endmacro %}


{#-
    The tables that this run built, in the order in which it built them, as rows of the table. A seed
    has the checksum of its file. A table reads the contents of raw tables at any hand, and of benchmarks' marts up to the
    first on each way: as they are now, but through a table that this run left alone as they were when
    that was built.
-#}
{% macro built_rows(nodes) -%}
    {%- set known = contents_read_before() %}
    {%- set own = mart_contents(nodes) %}
    {%- set rows = [] %}
    {%- for node in nodes if node.config.materialized != 'view' %}
        {%- set reads = {} %}
        {%- for parent in node.depends_on.nodes %}
            {%- do reads.update(contents_of(parent, known)) %}
        {%- endfor %}
        {%- set is_seed = node.resource_type == 'seed' %}
        {%- set content = node.checksum.checksum if is_seed else own.get(node.name) %}
        {%- do known.update({node.unique_id: contents_of_table(node.name, reads, content)}) %}
        {%- set row -%}
            (
                {{ text_literal(invocation_id) }},
                {{ text_literal(node.name) }},
                {{ text_literal(reads | sort | join(',')) }},
                {{ text_literal(content) if content else 'null' }},
                cast(
                    {{ text_literal(run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f')) }} as timestamp
                )
            )
        {%- endset %}
        {%- do rows.append(row) %}
    {%- endfor %}
    {{ return(rows) }}
{%- endmacro %}


{#- By the id of a raw table or of a table that was built before: the contents that it stands for. -#}
{% macro contents_read_before() -%}
    {%- set known = {} %}
    {%- for relation, content in run_query('select * from audit.audit__raw_contents') %}
        {%- do known.update({
            'source.' ~ project_name ~ '.raw.' ~ relation: {relation ~ ':' ~ content: true}
        }) %}
    {%- endfor %}
    {%- set last_builds %}
        select model, arg_max(reads, rowid) as reads, arg_max(content, rowid) as content
        from audit.audit__built_models
        group by model
    {%- endset %}
    {%- for model, reads, content in run_query(last_builds) %}
        {%- set contents = contents_of_table(model, reads.split(',') | select, content) %}
        {%- do known.update({'model.' ~ project_name ~ '.' ~ model: contents}) %}
    {%- endfor %}
    {{ return(known) }}
{%- endmacro %}


{#- The contents that a table stands for: what it was built of, of a mart itself and raw tables. -#}
{% macro contents_of_table(name, reads, content) -%}
    {%- set contents = {} %}
    {%- for read in reads if not content or '__' not in read %}
        {%- do contents.update({read: true}) %}
    {%- endfor %}
    {%- if content %}
        {%- do contents.update({name ~ ':' ~ content: true}) %}
    {%- endif %}
    {{ return(contents) }}
{%- endmacro %}


{#- The contents that a node stands for; a view stands for those of what it reads. -#}
{% macro contents_of(node_id, known) -%}
    {%- if node_id not in known %}
        {%- set contents = {} %}
        {%- for parent in graph.nodes.get(node_id, {}).get('depends_on', {}).get('nodes', []) %}
            {%- do contents.update(contents_of(parent, known)) %}
        {%- endfor %}
        {%- do known.update({node_id: contents}) %}
    {%- endif %}
    {{ return(known[node_id]) }}
{%- endmacro %}


{#- By name the contents of the benchmarks' marts among models: how many rows, and their hash. -#}
{% macro mart_contents(nodes) -%}
    {%- set queries = [] %}
    {%- for node in nodes
        if node.fqn[1] == 'benchmarks' and node.config.access == 'public'
        and node.config.materialized == 'table' %}
        {%- set query %}
            select {{ text_literal(node.name) }}, {{ row_contents('mart') }}
            from {{ node.relation_name }} as mart
        {%- endset %}
        {%- do queries.append(query) %}
    {%- endfor %}
    {%- set found = {} %}
    {%- if queries %}
        {%- for name, content in run_query(queries | join(' union all ')) %}
            {%- do found.update({name: content}) %}
        {%- endfor %}
    {%- endif %}
    {{ return(found) }}
{%- endmacro %}
