{#-
    What a benchmark's manifest says. Nothing of it is listed by hand: what decided the examples is
    read off the project itself, from the models, seeds, raw tables and vars in their lineage.
-#}

{#-
    The body of `<b>__manifest_entries`: rows `protocol, section, item, measure, value`, each
    computed from the examples as they are now.

    A row of the examples hashes as its values in their canonical form. `tree_sha256` is a tree of
    those hashes: the rows of a split are parted by the first two digits of their hash, a part is
    the hash of its sorted rows' hashes, a split that of its parts in the order of the digits, the
    content that of the splits in the order of their names, one hash on each line. No value and no
    task holds more than a part, a 256th of a split.

    `sha256` is flat: the content is the hash of the rows' hashes in the order of the example ids, a
    split the hash of its sorted ids, one on each line. It is one text of the whole, so only
    protocols with at most `manifest_flat_hash_limit` examples have it. A vocabulary, which is
    small, is the hash of its sorted rows.
-#}
{% macro manifest_entries(
    benchmark, columns=none, protocols=none, distributions=['family', 'operator', 'split'],
    also_decided=[], integrity=none, further_entries=none
) -%}
    {%- set violations = [integrity.violations] if integrity else [] %}
    {%- set deciding_nodes = lineage_of([benchmark ~ '__examples'] + violations + also_decided) %}
    {%- set beginning %}substr(hashed_examples.example_id, 1, 6){% endset -%}
with
examples as {{ computed_where_read() }} (
    select
        *,
        {% if not protocols %}'{{ benchmark }}'{% else %}protocol{% endif %} as manifest_protocol
    from {{ ref(benchmark ~ '__examples') }}
),

protocols as (
    {% for name in protocols or [benchmark] -%}
    select {{ text_literal(name) }} as protocol
    {%- if not loop.last %}
    union all
    {% endif %}
    {%- endfor %}
),

{% if integrity -%}
-- a check that finds nothing leaves no violation behind
checks as (
    select
        checks.check_name,
        count(violations.check_name) as n_violations
    from {{ ref(integrity.checks) }} as checks
    left join {{ ref(integrity.violations) }} as violations
        on checks.check_name = violations.check_name
    where checks.benchmark = '{{ benchmark }}'
    group by checks.check_name
),

{% endif -%}
-- the hashes of the package itself, as it was when this build called its functions
functions as (
    select * from {{ ref('code__functions') }}
),

files as (
    select * from {{ ref('stg_gainsay__landed_files') }}
    where kind in ({{ text_literals(kinds_of_files(deciding_nodes)) }})
),

canonical_examples as (
    select
        manifest_protocol as protocol,
        split,
        example_id,
        {{ canonical_row(columns or documented_columns(benchmark ~ '__examples')) }} as canonical
    from examples
),

-- both hashes are made of these
hashed_examples as {{ computed_once() }} (
    select
        protocol,
        split,
        example_id,
        {{ sha256_hex('canonical') }} as row_sha256
    from canonical_examples
),

-- counted before they are joined: of few protocols, Spark would send each task all examples
counts as (
    select
        manifest_protocol as protocol,
        count(*) as n_examples
    from examples
    group by manifest_protocol
),

contents as (
    select
        protocols.protocol,
        coalesce(counts.n_examples, 0) as n_examples
    from protocols
    left join counts
        on protocols.protocol = counts.protocol
),

parts as (
    select
        protocol,
        split,
        substr(row_sha256, 1, 2) as first_digits,
        {{ sha256_hex(listagg_lines('row_sha256', 'row_sha256')) }} as part_sha256
    from hashed_examples
    group by protocol, split, substr(row_sha256, 1, 2)
),

split_trees as (
    select
        protocol,
        split,
        {{ sha256_hex(listagg_lines('part_sha256', 'first_digits')) }} as split_sha256
    from parts
    group by protocol, split
),

content_trees as (
    select
        protocols.protocol,
        coalesce(
            {{ listagg_lines('split_trees.split_sha256', "coalesce(split_trees.split, '')") }}, ''
        ) as split_hashes
    from protocols
    left join split_trees
        on protocols.protocol = split_trees.protocol
    group by protocols.protocol
),

-- a flat hash is one text of the whole, in one row of one task
flat_protocols as (
    select protocol
    from contents
    where n_examples <= {{ var('manifest_flat_hash_limit') }}
),

-- Pieces of such a text, by how the ids begin, which are in order when the pieces are: many tasks
-- sort them, where the whole would be one task's.
flat_split_pieces as (
    select
        hashed_examples.protocol,
        hashed_examples.split,
        {{ beginning }} as beginning,
        {{ listagg_lines('hashed_examples.example_id', 'hashed_examples.example_id') }}
            as example_ids
    from flat_protocols
    inner join hashed_examples
        on flat_protocols.protocol = hashed_examples.protocol
    where hashed_examples.split is not null
    group by hashed_examples.protocol, hashed_examples.split, {{ beginning }}
),

flat_content_pieces as (
    select
        hashed_examples.protocol,
        {{ beginning }} as beginning,
        {{ listagg_lines('hashed_examples.row_sha256', 'hashed_examples.example_id') }}
            as row_hashes
    from flat_protocols
    inner join hashed_examples
        on flat_protocols.protocol = hashed_examples.protocol
    group by hashed_examples.protocol, {{ beginning }}
),

flat_contents as (
    select
        flat_protocols.protocol,
        coalesce(
            {{ listagg_lines('flat_content_pieces.row_hashes', 'flat_content_pieces.beginning') }},
            ''
        ) as row_hashes
    from flat_protocols
    left join flat_content_pieces
        on flat_protocols.protocol = flat_content_pieces.protocol
    group by flat_protocols.protocol
),

flat_splits as (
    select
        protocol,
        split,
        {{ listagg_lines('example_ids', 'beginning') }} as example_ids
    from flat_split_pieces
    group by protocol, split
),

splits as (
    select
        manifest_protocol as protocol,
        split,
        count(*) as n_examples
    from examples
    where split is not null
    group by manifest_protocol, split
),

{% for column in distributions -%}
{{ column }}_values as (
    select
        manifest_protocol as protocol,
        cast({{ column }} as string) as found,
        count(*) as n_examples
    from examples
    where {{ column }} is not null
    group by manifest_protocol, {{ column }}
),

{% endfor -%}
{% if further_entries -%}
further_entries as (
    {{ further_entries | indent }}
),

{% endif -%}
var_values as (
    {% for name in vars_of(deciding_nodes) -%}
    select {{ text_literal(name) }} as item, {{ text_literal(var(name)) }} as value
    union all
    {% endfor -%}
    select cast(null as string) as item, cast(null as string) as value
),

{{ seed_hashes(deciding_nodes) }},

-- entries that all protocols of the benchmark share
common_entries as (
    select
        'configuration' as section,
        item,
        'value' as measure,
        value
    from var_values
    where item is not null
    union all
    select
        'vocabulary' as section,
        seed as item,
        'sha256' as measure,
        sha256 as value
    from seed_hashes
    union all
    select
        'input' as section,
        source_file as item,
        'sha256' as measure,
        sha256 as value
    from files
    union all
    select
        'input' as section,
        source_file as item,
        'n_records' as measure,
        cast(n_records as string) as value
    from files
    union all
    select
        'input' as section,
        source_file as item,
        'n_rejected' as measure,
        cast(n_rejected as string) as value
    from files
    union all
    select
        'input' as section,
        source_file as item,
        'is_synthetic' as measure,
        'true' as value
    from files
    where is_synthetic
    union all
    select
        'code' as section,
        'gainsay' as item,
        'version' as measure,
        {{ text_literal(var('code_version')) }} as value
    union all
    select
        'code' as section,
        'models' as item,
        'md5' as measure,
        '{{ code_fingerprint(deciding_nodes) }}' as value
    union all
    select
        'code' as section,
        package as item,
        'md5' as measure,
        package_md5 as value
    from functions
    {%- if integrity %}
    union all
    select
        'integrity' as section,
        check_name as item,
        'n_violations' as measure,
        cast(n_violations as string) as value
    from checks
    {%- endif %}
),

entries as (
    select
        protocol,
        'content' as section,
        'examples' as item,
        'n' as measure,
        cast(n_examples as string) as value
    from contents
    union all
    select
        protocol,
        'content' as section,
        'examples' as item,
        'sha256' as measure,
        {{ sha256_hex('row_hashes') }} as value
    from flat_contents
    union all
    select
        protocol,
        'content' as section,
        'examples' as item,
        'tree_sha256' as measure,
        {{ sha256_hex('split_hashes') }} as value
    from content_trees
    union all
    select
        protocol,
        'split' as section,
        split as item,
        'n' as measure,
        cast(n_examples as string) as value
    from splits
    union all
    select
        protocol,
        'split' as section,
        split as item,
        'sha256' as measure,
        {{ sha256_hex('example_ids') }} as value
    from flat_splits
    union all
    select
        protocol,
        'split' as section,
        split as item,
        'tree_sha256' as measure,
        split_sha256 as value
    from split_trees
    where split is not null
    {%- for column in distributions %}
    union all
    select
        protocol,
        'distribution' as section,
        '{{ column }}' as item,
        found as measure,
        cast(n_examples as string) as value
    from {{ column }}_values
    {%- endfor %}
    {%- if further_entries %}
    union all
    select
        protocol,
        section,
        item,
        measure,
        value
    from further_entries
    {%- endif %}
    union all
    select
        protocols.protocol,
        common_entries.section,
        common_entries.item,
        common_entries.measure,
        common_entries.value
    from protocols
    cross join common_entries
)

select * from entries
{%- endmacro %}


{#-
    The CTE `seed_hashes`, rows `seed, sha256`, of every seed among the nodes: the hash of its sorted
    canonical rows. What is said of each seed is short, for a benchmark has up to fifty of them and
    Spark's metastore keeps no view of more than 32,700 characters.
-#}
{% macro seed_hashes(deciding_nodes) -%}
{%- set seeds = seeds_of(deciding_nodes) %}
{%- set names = [] %}
{%- for seed in seeds %}
    {%- do names.append(text_literal(seed.name)) %}
{%- endfor %}
{%- set lines %}coalesce({{ listagg_lines('line', 'line') }}, ''){% endset -%}
seed_rows as (
    -- a seed without rows has a hash, too
    select
        {{ unnest_list(list_value(*names) if names else empty_list('string')) }} as seed,
        null as cells
    {%- for seed in seeds %}
    {%- set cells = [] %}
    {%- for column in seed.columns %}
        {%- set cell %}cast({{ column }} as string){% endset %}
        {%- do cells.append(cell) %}
    {%- endfor %}
    union all
    select '{{ seed.name }}' as seed, {{ list_with_nulls(*cells) }} as cells
    from {{ seed.relation_name }}
    {%- endfor %}
),

seed_hashes as (
    select
        seed,
        {{ sha256_hex(lines) }} as sha256
    from (
        select
            seed,
            {{ canonical_list('cells') }} as line
        from seed_rows
    ) as seed_lines
    group by seed
)
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


{#-
    One hash over the code that SQL is made of: the files of models and seeds, by default all of the
    project's, and its macros. A manifest names those that its examples are made of, so that it says
    the same whatever else of the project was read. The functions are no part of it;
    `code__functions` has their hash.
-#}
{% macro code_fingerprint(nodes=none) -%}
    {%- set checksums = [] %}
    {%- if execute %}
    {%- for node in nodes or graph.nodes.values()
        if node.resource_type in ('model', 'seed') and node.package_name == project_name %}
        {%- do checksums.append(node.name ~ ':' ~ node.checksum.checksum) %}
    {%- endfor %}
    {%- for name, generator in context[project_name].items() %}
        {%- do checksums.append('macro ' ~ name ~ ':' ~ local_md5(generator.macro.macro_sql)) %}
    {%- endfor %}
    {%- endif %}
    {{ return(local_md5(checksums | sort | join('\n'))) }}
{%- endmacro %}


{#- The rows of the CTEs named like checks, in the one shape of all violations. -#}
{% macro violations_of(check_names) -%}
    {%- for check_name in check_names -%}
    select
        '{{ check_name }}' as check_name,
        cast(record_id as string) as record_id,
        cast(found as string) as found
    from {{ check_name }}
    {%- if not loop.last %}
    union all
    {% endif %}
    {%- endfor %}
{%- endmacro %}
