{#-
    All that a model holds to, in one query: a row for each violation, with the rule and with what breaks
    it. A rule is one of the other generic tests, by its name and with its arguments; `other_keys` are
    keys beside the primary one, and `conditions` have names of their own. Example:

        - holds:
            name: holds_colors
            arguments:
              primary_key: [color]
              other_keys: [[position]]
              accepted_values: {is_of: [light, pigment]}
              conditions:
                a_color_is_named_in_lower_case: color = lower(color)
              combination_in: [{columns: [family], vocabulary: ref('color_families')}]
              row_count_equals: {compare_model: ref('delivered_colors'), condition: is_color}
-#}
{% test holds(
    model, primary_key=none, other_keys=[], accepted_values={}, conditions={}, combination_in=[],
    row_count_equals=none, delivers=none
) %}

{#- the name of each rule, what it is about, and the query of what breaks it -#}
{%- set rules = [] %}
{%- for columns in [primary_key] + other_keys if columns %}
    {%- do rules.append(('primary_key', columns, test_primary_key(model, columns))) %}
{%- endfor %}
{%- for column, values in accepted_values.items() %}
    {%- do rules.append(
        ('accepted_values', [column], dbt.test_accepted_values(model, column, values))
    ) %}
{%- endfor %}
{%- for name, condition in conditions.items() %}
    {%- do rules.append((name, [], test_condition_holds(model, condition))) %}
{%- endfor %}
{%- for combination in combination_in %}
    {%- do rules.append(
        ('combination_in', combination.columns, test_combination_in(model, **combination))
    ) %}
{%- endfor %}
{%- if row_count_equals %}
    {%- set compared = [row_count_equals.compare_model.identifier] %}
    {%- do rules.append(
        ('row_count_equals', compared, test_row_count_equals(model, **row_count_equals))
    ) %}
{%- endif %}
{%- if delivers %}
    {%- do rules.append(('delivers', [delivers.holds], test_delivers(model, **delivers))) %}
{%- endif %}

{%- for name, about, query in rules %}
select
    {{ text_literal([name, about | join(', ')] | select | join(' ')) }} as rule,
    {{ row_text('violation') }} as found
from (
    {{ query }}
) as violation
{{ 'union all' if not loop.last }}
{%- endfor %}

{% endtest %}
