{#-
    Jaccard similarity of two sets from their sizes and the size of what they share.
    Two empty sets are the same set: 1.
-#}
{% macro jaccard(n_shared, n_left, n_right) -%}
    case
        when {{ n_left }} + {{ n_right }} = 0 then cast(1 as double)
        else cast({{ n_shared }} as double) / ({{ n_left }} + {{ n_right }} - {{ n_shared }})
    end
{%- endmacro %}
