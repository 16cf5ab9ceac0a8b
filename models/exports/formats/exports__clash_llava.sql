{{ config(materialized=kept_as('clash-llava')) }}

{{ clash_conversations() }}
