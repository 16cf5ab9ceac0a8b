-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ manifest_entries(
    'occlusions',
    distributions=['family', 'operator', 'oracle_action', 'split']
) }}
