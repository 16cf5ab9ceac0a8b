{#-
    Every combination of values in `columns` is one that `vocabulary` lists in the columns of
    the same names. A combination of nothing but nulls says nothing and is left out.
-#}
{% test combination_in(model, columns, vocabulary) %}

select {{ columns | join(', ') }}
from {{ model }}
where {{ columns | join(' is not null or ') }} is not null

except

select {{ columns | join(', ') }}
from {{ vocabulary }}

{% endtest %}
