-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

select {{ port_columns('measures') | join(', ') }}
from {{ ref('evaluation__refusal_measures') }}
where benchmark = 'tdiuc'
