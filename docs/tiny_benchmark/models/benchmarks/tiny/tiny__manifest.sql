select * from {{ ref('tiny__manifest_entries') }}
