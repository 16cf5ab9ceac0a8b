-- a view, so that a stage has its reason as soon as its seed has it
{{ config(materialized='view') }}
with
gates as (
    {{ union_of_ports('gates') }}
)

select * from gates
