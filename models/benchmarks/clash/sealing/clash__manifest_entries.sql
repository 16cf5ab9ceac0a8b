-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ without_indents(manifest_entries(
    'clash',
    distributions=['family', 'operator', 'origin', 'split'],
    vocabulary='clash__seed_hashes'
)) }}
