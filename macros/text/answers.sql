{#- Words: runs of letters, digits and underscores of any script in the lower-cased text. -#}
{% macro word_tokens(text) -%}
    {{ regexp_extract_all(lower_text(text), '[\\p{L}\\p{N}_]+') }}
{%- endmacro %}


{#- Words with a space before, between and behind them, so that a phrase is found as such. -#}
{% macro spaced_words(text) -%}
    ' ' || {{ array_join(word_tokens(text), "' '") }} || ' '
{%- endmacro %}


{#- As `spaced_words`, apostrophes kept within words: "can't" is one. -#}
{% macro spaced_phrase(text) -%}
    ' ' || {{ array_join(
        regexp_extract_all("replace(" ~ lower_text(text) ~ ", '’', '''')", "[\\p{L}\\p{N}_'']+"), "' '"
    ) }} || ' '
{%- endmacro %}


{#- 1 where the condition is true, else 0; what a share counts. -#}
{% macro one_if(condition) -%}
    case when {{ condition }} then cast(1 as double) else cast(0 as double) end
{%- endmacro %}


{#- Numerator and denominator of the F1 of one action, over the answers that state an action. -#}
{% macro f1_of_action(action) -%}
    2 * {{ one_if('stated_action = ' ~ action ~ ' and oracle_action = ' ~ action) }},
    {{ one_if('stated_action = ' ~ action) }}
    + {{ one_if('stated_action is not null and oracle_action = ' ~ action) }}
{%- endmacro %}


{#- A share as a percentage. Nine digits are the same on every engine, whatever it sums first. -#}
{% macro percentage(share) -%}
    round(100 * {{ share }}, 9)
{%- endmacro %}


{#- Id of a CLASH sample: its picture and its question, which a picture may have two of. -#}
{% macro clash_sample_id(image_id, question) -%}
    'clash-' || cast({{ image_id }} as {{ dbt.type_string() }})
    || '-' || substr(md5({{ question }}), 1, 8)
{%- endmacro %}


{#- A text as one line: line breaks and tabs are spaces, and none stand at its ends. -#}
{% macro stripped_line(text) -%}
    {{ regexp_replace(
        regexp_replace(text, '[\\n\\t]', ' '),
        '^[\\t\\n\\x0B\\f\\r \\x1C-\\x1F\\x85\\p{Z}]+|[\\t\\n\\x0B\\f\\r \\x1C-\\x1F\\x85\\p{Z}]+$', ''
    ) }}
{%- endmacro %}


{#-
    How often a run of `n` answers is resampled: so often that one standard error of the
    deviation of any share of them (at most half over the root of n) is within the tolerance,
    but within the bounds of the vars.
-#}
{% macro bootstrap_resamples(n) -%}
    least(
        {{ var('evaluation_bootstrap_most_resamples') }},
        greatest(
            {{ var('evaluation_bootstrap_resamples') }},
            cast(ceil(
                0.125 / ({{ n }} * power({{ var('evaluation_bootstrap_tolerance') }}, 2))
            ) as bigint)
        )
    )
{%- endmacro %}


{#- How far the mean of `value` over the answers of a group may be off, as one struct. -#}
{% macro error_of_share(value, example_id, source_image_id) -%}
    {%- set rows = array_agg_unordered(struct_pack(
        key=seeded_key('resample', example_id),
        cluster=seeded_key('resample', source_image_id),
        cell='cast(0 as bigint)',
        measures=list_value(value, one_if('true'))
    )) %}
    {%- set whole = list_value(struct_pack(cell='cast(0 as bigint)', slice='cast(0 as bigint)')) %}
    {{ list_extract(
        'gs_ratio_errors(' ~ rows ~ ', ' ~ whole ~ ', ' ~ empty_list('bigint') ~ ', '
        ~ bootstrap_resamples('count(*)') ~ ')', 1
    ) }}
{%- endmacro %}
