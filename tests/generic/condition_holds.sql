{#- `condition` is true of every row; a null is not true. -#}
{% test condition_holds(model, condition) %}

select * from {{ model }}
where ({{ condition }}) is not true

{% endtest %}
