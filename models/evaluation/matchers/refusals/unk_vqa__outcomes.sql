-- a view: the answers are matched together with those of its sister
{{ config(materialized='view') }}

select {{ port_columns('outcomes') | join(', ') }}
from {{ ref('evaluation__refusal_answers') }}
where benchmark = 'unk_vqa'
