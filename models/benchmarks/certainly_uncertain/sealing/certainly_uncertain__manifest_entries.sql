-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

-- pictures are rendered for all benchmarks together: no other benchmark decides a pair
-- Spark keeps at most 32,700 characters of a view, so that its lines are not indented
{%- set entries -%}
{{ manifest_entries(
    'certainly_uncertain',
    distributions=['family', 'operator', 'kind', 'source', 'split'],
    not_decided=['images__recipes', 'images__renderings']
) }}
{%- endset %}
{{ modules.re.sub('\n\s+', '\n', entries) }}
