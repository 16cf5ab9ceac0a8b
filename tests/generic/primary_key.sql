{#- Every row has all of `columns`, and no two rows have the same ones. -#}
{% test primary_key(model, columns) %}

select
    {{ columns | join(',\n    ') }},
    count(*) as n_rows
from {{ model }}
group by {{ columns | join(', ') }}
having
    count(*) > 1
    {%- for column in columns %}
    or {{ column }} is null
    {%- endfor %}

{% endtest %}
