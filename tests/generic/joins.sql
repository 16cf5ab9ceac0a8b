{#-
    Every row where `condition` holds has a partner in `to`: a row whose columns have the values of
    this one's, where `keys` says which of this model's columns is called how in `to`. A row of which
    one of the columns is null has none to have.
-#}
{% test joins(model, to, keys, condition='true') %}

select
    {{ keys.keys() | join(',\n    ') }},
    count(*) as n_rows
from {{ model }} as rows_of_model
where
    {{ condition }}
    {%- for key in keys.keys() %}
    and {{ key }} is not null
    {%- endfor %}
    and not exists (
        select 1
        from {{ to }} as partners
        where
            {%- for key, partner in keys.items() %}
            {% if not loop.first %}and {% endif %}rows_of_model.{{ key }} = partners.{{ partner }}
            {%- endfor %}
    )
group by {{ keys.keys() | join(', ') }}

{% endtest %}
