{#-
    Texts whose words carry a tag, as `certainly_uncertain__tagged_texts` has them: `a/article
    black/color cat/singular is/be sitting/verb on/preposition a/article couch/singular ./stop `.
    Each of these is a part of a pattern over such a text. Groups are `(?:`, because DuckDB is twice
    as fast where it need not keep what a group held.
-#}

{#- One word with one of the tags. -#}
{% macro tagged() -%}
    [^ ]+/(?:{{ varargs | join('|') }})[ ]
{%- endmacro %}


{#- Words that may stand between an article and its noun. -#}
{% macro tagged_modifiers() -%}
    (?:{{ tagged('modifier', 'color', 'patterned', 'content') }}){0,3}
{%- endmacro %}


{#- One thing that a text opens with or that has an article or the number one before it. -#}
{% macro tagged_subject(form='singular') -%}
    (?:^|{{ tagged('article', 'quantity') }}){{ tagged_modifiers() }}{{ tagged(form) }}
{%- endmacro %}


{#- A noun phrase whose last word has one of the tags, up to one `of` within it. -#}
{% macro tagged_noun_phrase(head=['singular', 'plural', 'mass', 'content']) -%}
    (?:{{ tagged('article', 'quantity') }})?(?:{{ tagged('measure') }})?{{ tagged_modifiers() }}
    {%- set last_word = tagged(*head) -%}
    (?:{{ tagged('partitive') }}{{ tagged('of') }}(?:{{ tagged('article', 'quantity') }})?
    {{- tagged_modifiers() }}{{ last_word }}|{{ last_word }}(?:{{ tagged('of') }}(?:
    {{- tagged('article', 'quantity') }})?{{ tagged_modifiers() }}{{ last_word }})?)
{%- endmacro %}


{#- The tags that may follow a complete noun phrase. -#}
{% macro tagged_end() -%}
    (?:{{ tagged(
        'stop', 'preposition', 'with', 'be', 'relative', 'boundary', 'verb', 'participle'
    ) }}|
    {{- '' }}{{ tagged('joint') }}{{ tagged('verb') }})
{%- endmacro %}


{#- A tagged text without its tags. -#}
{% macro without_tags(tagged_text) -%}
    replace(trim({{ regexp_replace(tagged_text, '/[a-z]+[ ]', ' ') }}), '_', ' ')
{%- endmacro %}
