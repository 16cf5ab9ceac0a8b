{#-
    A hash of a pair of CertainlyUncertain as people see it: a verdict counts only for the pair
    that its reader saw. `pairs` is the name of a relation with the pair's texts and pixels.
-#}
{% macro shown_pair_md5(pairs) -%}
    md5(
        coalesce({{ pairs }}.category, '')
        || chr(10) || coalesce({{ pairs }}.answerable_question, '')
        || chr(10) || coalesce({{ pairs }}.answerable_answer, '')
        || chr(10) || coalesce({{ pairs }}.unanswerable_question, '')
        || chr(10) || coalesce({{ pairs }}.unanswerable_answer, '')
        || chr(10) || coalesce({{ pairs }}.rle, '')
    )
{%- endmacro %}
