{{ config(materialized=kept_as('clash-mplug-owl')) }}

{{ clash_conversations() }}
