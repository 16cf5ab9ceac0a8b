{#-
    The model holds what the benchmarks' examples say that it holds, and nothing else: the rows of
    `exports__deliverable` of which the column `holds` is true, each once, with the same split,
    condition and group. `compared` says which of the model's columns is what there; `benchmark` is
    given where the model has no such column. Shows what is missing, what is too much, and what differs.
-#}
{% test delivers(model, holds, benchmark=none, compared={'split': 'split'}) %}

with
expected as (
    select *
    from {{ ref('exports__deliverable') }}
    where {{ holds }}
),

found as (
    select
        {% if benchmark %}'{{ benchmark }}' as {% endif %}benchmark,
        example_id,
        {{ compared.keys() | join(',\n        ') }},
        count(*) over (partition by {% if not benchmark %}benchmark, {% endif %}example_id)
            as n_rows
    from {{ model }}
)

select
    coalesce(expected.benchmark, found.benchmark) as benchmark,
    coalesce(expected.example_id, found.example_id) as example_id,
    expected.split as expected_split,
    case
        when found.example_id is null then 'missing'
        when expected.example_id is null then 'not of the benchmark'
        when found.n_rows > 1 then 'twice'
        else 'another {{ compared.keys() | join(', ') }}'
    end as finding
from expected
full outer join found
    on
        expected.benchmark = found.benchmark
        and expected.example_id = found.example_id
where
    found.example_id is null
    or expected.example_id is null
    or found.n_rows > 1
    {%- for column, name in compared.items() %}
    or found.{{ column }} is distinct from expected.{{ name }}
    {%- endfor %}

{% endtest %}
