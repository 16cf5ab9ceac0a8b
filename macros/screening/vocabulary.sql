{#-
    One list of the seed `<family>_vocabulary`: its words, in a column of the name `word`, and what
    the list says of each, in a column of the name `value`, where that is given.
-#}
{% macro vocabulary(family, list_name, word='word', value=none) -%}
    (
        select word
            {%- if word != 'word' %} as {{ word }}{% endif %}
            {%- if value %}, value as {{ value }}{% endif %}
        from {{ ref(family ~ '_vocabulary') }}
        where list_name = '{{ list_name }}'
    )
{%- endmacro %}


{#- One list of pairs of words, each pair from either side. -#}
{% macro mutual_vocabulary(family, list_name, word, value) -%}
    (
        select word as {{ word }}, value as {{ value }}
        from {{ ref(family ~ '_vocabulary') }}
        where list_name = '{{ list_name }}'
        union
        select value as {{ word }}, word as {{ value }}
        from {{ ref(family ~ '_vocabulary') }}
        where list_name = '{{ list_name }}'
    )
{%- endmacro %}
