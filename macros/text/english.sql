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


{#-
    A text with its slots filled: each {name} becomes the value of the column that `slots` names for
    it, nothing where that is null.
-#}
{% macro filled_slots(text, slots) -%}
    {%- for name in slots %}replace({% endfor -%}
    {{ text }}
    {%- for name, column in slots.items() %}, '{{ '{' ~ name ~ '}' }}', coalesce({{ column }}, '')){% endfor -%}
{%- endmacro %}


{#- Whether a noun's last letters make it a plural, as far as they tell: no bus, tennis or glass. -#}
{% macro is_plural_noun(noun) -%}
    {{ regexp_matches(
        noun,
        '([^sui]s|people|men|women|children|sheep|cattle|deer|geese|police|[^aeou]ies)$'
    ) }}
{%- endmacro %}


{#- Whether a phrase in lower case begins with whose it is. -#}
{% macro is_owned_phrase(phrase) -%}
    {{ regexp_matches(phrase, '^(his|her|their|its|my|our|your)( |$)') }}
{%- endmacro %}


{#- A phrase in lower case without the article or quantity that it begins with. -#}
{% macro without_determiner(phrase) -%}
    {%- set pattern -%}
        ^(a few|a|an|the|some|several|many|few|various|multiple|one|this|that|these|those|another|each|every)[ ]
    {%- endset %}
    {{ regexp_replace(phrase, pattern, '') }}
{%- endmacro %}


{#- Openings of a caption that only say that it is a picture ("a photo of"), in lower case. -#}
{% macro picture_opening(caption) -%}
    {%- set noun = 'picture|photo|photograph|image|view|shot|close up|closeup|scene' -%}
    {%- set opening -%}
        ^((this|there|here) (is|are) )?((a |an |the )?((black and white|close up|[a-z]+) )?({{ noun }}) of |)
    {%- endset %}
    {{ regexp_extract(caption, opening) }}
{%- endmacro %}


{#- Two objects and their colours in words: `a red car and an orange bench`. -#}
{% macro described_colors(color_1, object_1, color_2, object_2) -%}
    {{ indefinite_article(color_1) }} || ' ' || {{ color_1 }} || ' ' || {{ object_1 }} || ' and '
    || {{ indefinite_article(color_2) }} || ' ' || {{ color_2 }} || ' ' || {{ object_2 }}
{%- endmacro %}
