-- a view, because it repeats the manifests
{{ config(materialized='view') }}
with
manifests as (
    {{ union_of_ports('manifest') }}
)

select * from manifests
