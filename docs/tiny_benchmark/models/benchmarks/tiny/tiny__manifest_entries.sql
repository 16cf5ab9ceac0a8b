{{ config(materialized='view') }}

{{ manifest_entries('tiny', distributions=['operator']) }}
