-- a table, because `gainsay report --diff` reads that of an earlier warehouse, whose views would
-- read this one's tables
{{ config(materialized='table') }}
with
manifests as (
    {{ union_of_ports('manifest') }}
)

select * from manifests
