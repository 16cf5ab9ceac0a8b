{#-
    Stop before anything is built where the value of a var is of another type than its decision, or
    out of its range: `null` or 'three' for a share would otherwise end in an error of SQL, and a
    share of -3 in a build that passes.
-#}
{% macro require_var_values() -%}
    {%- set rules = var_rules() %}
    {%- for name in rules.vars if name in project_vars() %}
        {%- do require_var_value(name, var(name), rules.vars[name]) %}
    {%- endfor %}
    {%- for names in rules.ascending if names | reject('in', project_vars()) | list | length == 0 %}
        {%- if var(names[0]) > var(names[1]) %}
            {%- do exceptions.raise_compiler_error(
                'the var ' ~ names[0] ~ ' is ' ~ var(names[0]) ~ ', and ' ~ names[1] ~ ' is '
                ~ var(names[1]) ~ '; expected no more than that'
            ) %}
        {%- endif %}
    {%- endfor %}
    {%- for names in rules.at_most_one
        if names | reject('in', project_vars()) | list | length == 0 %}
        {%- set total = namespace(value=0) %}
        {%- for name in names %}
            {%- set total.value = total.value + var(name) %}
        {%- endfor %}
        {#- decimal shares are not exact -#}
        {%- if total.value > 1.000001 %}
            {%- do exceptions.raise_compiler_error(
                'the vars ' ~ names | join(' and ') ~ ' are ' ~ total.value | round(6)
                ~ ' together; expected shares of one whole, which are 1 at most'
            ) %}
        {%- endif %}
    {%- endfor %}
{%- endmacro %}


{#- Each var of --vars keeps its rule; asked while models are parsed, which read some vars. -#}
{% macro require_given_var_values() -%}
    {%- if invocation_args_dict.vars %}
        {%- set rules = var_rules().vars %}
        {%- for name in invocation_args_dict.vars if name in rules %}
            {%- do require_var_value(name, var(name), rules[name]) %}
        {%- endfor %}
    {%- endif %}
{%- endmacro %}


{% macro require_var_value(name, value, rule) -%}
    {%- set problem = problem_of_value(value, rule) %}
    {%- if problem %}
        {%- do exceptions.raise_compiler_error(
            'the var ' ~ name ~ ' ' ~ problem.found ~ '; expected ' ~ problem.expected
        ) %}
    {%- endif %}
{%- endmacro %}


{#- What is wrong with a value by its rule, as `found` and `expected`; none for a good one. -#}
{% macro problem_of_value(value, rule) -%}
    {%- set found = 'is ' ~ ('null' if value is none else tojson(value, value | string)) %}
    {%- set problem = {'found': found, 'expected': expected_value(rule)} %}
    {%- if rule.type in ('list', 'map') %}
        {%- set is_kind = (value is mapping) if rule.type == 'map'
            else (value is sequence and value is not string and value is not mapping) %}
        {%- if not is_kind or (value | length == 0 and not rule.empty) %}
            {{ return(problem) }}
        {%- endif %}
        {%- for key in rule.get('keys', []) if key not in value %}
            {{ return({'found': 'has no ' ~ key, 'expected': problem.expected}) }}
        {%- endfor %}
        {%- for one in (value.values() if rule.type == 'map' else value) %}
            {%- set inner = problem_of_value(one, rule.of) %}
            {%- if inner %}
                {{ return({'found': 'holds what ' ~ inner.found, 'expected': problem.expected}) }}
            {%- endif %}
        {%- endfor %}
    {%- elif rule.type == 'flag' %}
        {{ return(none if value is boolean else problem) }}
    {%- elif rule.type == 'text' %}
        {{ return(none if value is string and (value | trim or rule.empty) else problem) }}
    {%- else %}
        {%- set is_kind = (value is integer) if rule.type == 'integer'
            else (value is number and value is not boolean) %}
        {#- what is infinite or no number differs from itself, less itself, from nothing -#}
        {%- if not is_kind or value - value != 0
            or ('least' in rule and value < rule.least)
            or ('above' in rule and value <= rule.above)
            or ('most' in rule and value > rule.most) %}
            {{ return(problem) }}
        {%- endif %}
    {%- endif %}
    {{ return(none) }}
{%- endmacro %}


{#- A rule in words, such as `a number from 0 to 1`. -#}
{% macro expected_value(rule) -%}
    {%- if rule.type in ('list', 'map') %}
        {%- set kind = ('a list' if rule.type == 'list' else 'names with values') ~ ', each '
            ~ expected_value(rule.of) %}
        {%- if rule.get('keys') %}
            {%- set kind = kind ~ ', of ' ~ rule['keys'] | join(', ') %}
        {%- endif %}
        {{ return(kind ~ ('' if rule.empty else ', and at least one')) }}
    {%- elif rule.type == 'flag' %}
        {{ return('true or false') }}
    {%- elif rule.type == 'text' %}
        {{ return('a text' ~ (', which may be empty' if rule.empty else '')) }}
    {%- endif %}
    {%- set kind = 'an integer' if rule.type == 'integer' else 'a number' %}
    {%- set least = ' above ' ~ rule.above if 'above' in rule
        else ' from ' ~ rule.least if 'least' in rule else '' %}
    {{ return(
        kind ~ least ~ (' to ' ~ rule.most if 'most' in rule else ' on' if least else '')
    ) }}
{%- endmacro %}
