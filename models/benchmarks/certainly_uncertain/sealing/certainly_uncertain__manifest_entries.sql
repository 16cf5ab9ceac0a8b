-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ without_indents(manifest_entries(
    'certainly_uncertain',
    distributions=['family', 'operator', 'kind', 'source', 'split'],
    vocabulary='certainly_uncertain__seed_hashes'
)) }}
