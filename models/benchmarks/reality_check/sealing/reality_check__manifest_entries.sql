-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ manifest_entries(
    'reality_check',
    distributions=['bias_type', 'operator', 'difficulty', 'split', 'truth_source'],
    further_entries='reality_check__question_entries'
) }}
