-- a view, so that a manifest can be checked against the examples as they are now
{{ config(materialized='view') }}

{{ manifest_entries(
    'conflict_suite_refined',
    protocols=var('conflict_suite_refined_protocols'),
    distributions=['family', 'operator', 'oracle_action', 'right_move', 'split'],
    integrity={
        'checks': 'conflict_suite_refined__integrity_checks',
        'violations': 'conflict_suite_refined__violations',
    },
    further_entries='conflict_suite_refined__mix_entries'
) }}
