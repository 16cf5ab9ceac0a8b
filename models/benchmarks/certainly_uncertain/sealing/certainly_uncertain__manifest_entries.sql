-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

-- pictures are rendered for all benchmarks together: no other benchmark decides a pair
{{ without_indents(manifest_entries(
    'certainly_uncertain',
    distributions=['family', 'operator', 'kind', 'source', 'split'],
    not_decided=['images__recipes', 'images__renderings'],
    vocabulary='certainly_uncertain__seed_hashes'
)) }}
