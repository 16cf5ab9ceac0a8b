-- a view: the answers are matched together with those of its sisters
{{ config(materialized='view') }}

select {{ port_columns('outcomes') | join(', ') }}
from {{ ref('evaluation__vqa_answers') }}
where benchmark = 'vizwiz'
