-- a view, as the ports are
{{ config(materialized='view') }}

with

prompts as (

    {{ union_of_ports('prompts') }}

)

select * from prompts
