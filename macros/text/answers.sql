{#- Words: runs of letters, digits and underscores of any script in the lower-cased text. -#}
{% macro word_tokens(text) -%}
    {{ regexp_extract_all(lower_text(text), '[\\p{L}\\p{N}_]+') }}
{%- endmacro %}


{#- Words with a space before, between and behind them, so that a phrase is found as such. -#}
{% macro spaced_words(text) -%}
    ' ' || {{ array_join(word_tokens(text), "' '") }} || ' '
{%- endmacro %}


{#- As `spaced_words`, vowel signs and accents that are signs of their own kept within words. -#}
{% macro spaced_signed_words(text) -%}
    {%- set words = regexp_extract_all(lower_text(text), '[\\p{L}\\p{M}\\p{N}_]+') -%}
    ' ' || {{ array_join(words, "' '") }} || ' '
{%- endmacro %}


{#- As `spaced_words`, apostrophes kept within words: "can't" is one. -#}
{% macro spaced_phrase(text) -%}
    {%- set straight_text %}replace({{ lower_text(text) }}, '’', ''''){% endset %}
    {%- set words = regexp_extract_all(straight_text, "[\\p{L}\\p{N}_'']+") -%}
    ' ' || {{ array_join(words, "' '") }} || ' '
{%- endmacro %}


{#-
    COCO's id of the picture that a row of `raw.question_set_questions` is about: its own, or the
    twelve digits of a COCO file's name. A picture that UNK-VQA edited (a mask, a copy that was
    moved) is not COCO's, whatever its file is called.
-#}
{% macro coco_id_of_question() -%}
    coalesce(
        image_id,
        case
            when not (question_set = 'unk_vqa' and coalesce(category, '') in ('I-2', 'I-3'))
                then {{ try_cast_bigint(regexp_extract('image', '[0-9]{12}')) }}
        end
    )
{%- endmacro %}


{#- Id of a CLASH sample: its picture and its question, which a picture may have two of. -#}
{% macro clash_sample_id(image_id, question) -%}
    'clash-' || cast({{ image_id }} as string)
    || '-' || substr(md5({{ question }}), 1, 8)
{%- endmacro %}


{#- The columns of a sample of CLASH, by rules or by a language model. -#}
{% macro clash_sample_columns() -%}
    image_id,
    source_image_id,
    original_caption,
    conflicting_caption,
    question,
    change_type,
    image_only_answer,
    text_only_answer,
    distractor_answer,
    original_words,
    conflicting_words,
    categories
{%- endmacro %}


{#- A text as one line: line breaks and tabs are spaces, and none stand at its ends. -#}
{% macro stripped_line(text) -%}
    {{ regexp_replace(
        regexp_replace(text, '[\\n\\t]', ' '),
        '^[\\t\\n\\x0B\\f\\r \\x1C-\\x1F\\x85\\p{Z}]+|[\\t\\n\\x0B\\f\\r \\x1C-\\x1F\\x85\\p{Z}]+$', ''
    ) }}
{%- endmacro %}


{#-
    An answer in its vocabulary, null outside it. `canonical` is what `answer_forms` has for it;
    a number in digits needs no row there.
-#}
{% macro canonical_answer(answer, answer_type, canonical) -%}
    coalesce(
        {{ canonical }},
        case
            when {{ answer_type }} = 'integer' and {{ regexp_matches(answer, '^[0-9]+$') }}
                then {{ plain_digits(answer) }}
        end
    )
{%- endmacro %}


{#- The id that an answer gives, without zeros before a number: `007` is 7. -#}
{% macro plain_key(key) -%}
    coalesce(cast({{ try_cast_bigint(key) }} as string), {{ key }})
{%- endmacro %}
