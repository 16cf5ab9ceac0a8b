{#-
    The little English grammar that an edit needs. Words come in lower case.
-#}

{#- `a` or `an` before `words`: by how they sound, as far as their letters tell. -#}
{% macro indefinite_article(words) -%}
    {%- set lower_words %}lower({{ words }}){% endset -%}
    case
        when {{ regexp_matches(lower_words, '^(uni|use|usu|ute|eur|one|once|uk)') }} then 'a'
        when {{ regexp_matches(lower_words, '^([aeiou]|hour|honest|heir)') }} then 'an'
        else 'a'
    end
{%- endmacro %}
