{#-
    One list of the seed `<family>_vocabulary`: its words, in a column of the name `word`, and what
    the list says of each, in a column of the name `value`, where that is given.
-#}
{% macro vocabulary(family, list_name, word='word', value=none) -%}
    (
        select word{{ ' as ' ~ word if word != 'word' }}{{ ', value as ' ~ value if value }}
        from {{ ref(family ~ '_vocabulary') }}
        where list_name = '{{ list_name }}'
    )
{%- endmacro %}
