{#-
    Behind the loading of each seed: stop where a row breaks what the seed's YAML says in
    `config: {meta: {holds: ...}}`, the arguments of the generic test `holds`. One hook asks what two
    hundred tests would ask, each of which dbt would plan, run and list by itself. A seed that is
    stopped is not there until it is loaded again; on Spark it is, with the rows that are wrong.
-#}
{% macro check_seed() -%}
    {%- if execute and model.config.meta.holds %}
        {%- set broken = broken_rules(test_holds(this, **model.config.meta.holds)) %}
        {%- if broken %}
            {%- do exceptions.raise_compiler_error(
                'rows of the seed ' ~ model.name ~ ' break what it holds to:\n' ~ broken | join('\n')
            ) %}
        {%- endif %}
    {%- endif %}
{%- endmacro %}


{#- What the rows of the test `holds` say, one text a rule, with one of the rows that break it. -#}
{% macro broken_rules(query) -%}
    {%- set rules %}
        select rule, min(found) as found, count(*) as n_found
        from ({{ query }}) as violations
        group by rule
        order by rule
    {%- endset %}
    {%- set texts = [] %}
    {%- for row in run_query(rules) %}
        {%- set text -%}
            {{ row['rule'] }}: {{ row['found'] }}
            {%- if row['n_found'] > 1 %} and {{ row['n_found'] - 1 }} more{% endif %}
        {%- endset %}
        {%- do texts.append(text) %}
    {%- endfor %}
    {{ return(texts) }}
{%- endmacro %}
