-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ manifest_entries(
    'certainly_uncertain',
    distributions=['family', 'operator', 'kind', 'source', 'split']
) }}
