{%- set latin_word = '[A-Za-zÀ-ɏ0-9]+' -%}
{#-
    An `A` before a word in lower case is an article, but for the A of a picture or an option, and
    one before words that no article stands before.
-#}
{%- set letter_noun =
    '(?i)(image|imagen|picture|photo|option|opción|answer|letter|letra)( is| es)?:? +A( |$)'
-%}
{%- set before_no_noun =
    '(^|[^A-Za-zÀ-ɏ0-9])A +(or|and|o|u|y|then|has|is|shows|contains|because|tiene|es|muestra) '
-%}
{%- set article = '(^|[^A-Za-zÀ-ɏ0-9])A +[a-zà-ɏ]' -%}
{%- set is_option_letter = "word in ('A', 'B', 'C', 'D')" -%}
{%- set order_letter = "word in ('A', 'B', 'C')" -%}
with
answers as (
    select * from {{ ref('evaluation__reality_check_answers') }}
    where answer_format in ('letter', 'order')
),

-- many answers say the same
said_texts as (
    select distinct prediction, answer_format, options
    from answers
    where prediction is not null
),

letters as (
    select
        prediction, answer_format, options,
        {{ spaced_signed_words('prediction') }} as spaced_prediction,
        {{ list_sort_distinct(regexp_extract_all('prediction', '[(（][A-D][)）]')) }}
            as bracketed,
        {{ regexp_extract('prediction', '^[^\\p{L}\\p{N}]*[A-D]([).:,;]|[^\\p{L}\\p{N}]*$)') }}
            as opening,
        {{ list_sort_distinct(list_filter(
            regexp_extract_all(
                regexp_replace(
                    regexp_replace(
                        regexp_replace('prediction', letter_noun, ' A. '), before_no_noun, ' A. '
                    ),
                    article, ' '
                ),
                latin_word
            ),
            'word', is_option_letter
        )) }} as named,
        {{ list_head(
            list_filter(regexp_extract_all('prediction', latin_word), 'word', order_letter), 3
        ) }} as first_letters,
        {{ regexp_extract(
            regexp_extract('prediction', '(^|[^A-Za-z])(ABC|ACB|BAC|BCA|CAB|CBA)([^A-Za-z]|$)'),
            '[ABC]{3}'
        ) }} as compact_order
    from said_texts
),

positions as (
    select {{ unnest_list(integer_series(0, 3)) }} as position
),

listed_options as (
    select
        letters.prediction, letters.answer_format, letters.options, letters.spaced_prediction,
        case positions.position
            when 0 then 'A'
            when 1 then 'B'
            when 2 then 'C'
            when 3 then 'D'
        end as letter,
        case positions.position
            when 0 then {{ json_extract_string('letters.options', '$[0].text') }}
            when 1 then {{ json_extract_string('letters.options', '$[1].text') }}
            when 2 then {{ json_extract_string('letters.options', '$[2].text') }}
            when 3 then {{ json_extract_string('letters.options', '$[3].text') }}
        end as option_text
    from letters
    cross join positions
    where letters.options is not null
),

-- the text of an option stands for its letter where no other option is said
said_options as (
    select
        prediction, answer_format, options,
        min(letter) as letter,
        bool_or(spaced_prediction = {{ spaced_signed_words('option_text') }}) as is_whole_answer
    from listed_options
    where contains(spaced_prediction, {{ spaced_signed_words('option_text') }})
    group by prediction, answer_format, options
    having count(*) = 1
)

select
    letters.prediction, letters.answer_format,
    coalesce(letters.options, '') as options,
    case
        when letters.answer_format = 'order'
            then
                case
                    when letters.compact_order <> ''
                        then
                            substr(letters.compact_order, 1, 1)
                            || ',' || substr(letters.compact_order, 2, 1)
                            || ',' || substr(letters.compact_order, 3, 1)
                    when {{ list_length(list_sort_distinct('letters.first_letters')) }} = 3
                        then {{ array_join('letters.first_letters', "','") }}
                end
        -- an option of a compound may begin with the letter of a picture
        when said_options.is_whole_answer then said_options.letter
        when {{ list_length('letters.bracketed') }} = 1
            then substr({{ list_extract('letters.bracketed', 1) }}, 2, 1)
        when {{ list_length('letters.bracketed') }} > 1 then null
        when letters.opening <> '' then {{ regexp_extract('letters.opening', '[A-D]') }}
        when said_options.letter is not null then said_options.letter
        when {{ list_length('letters.named') }} = 1
            then {{ list_extract('letters.named', 1) }}
    end as answer
from letters
left join said_options using (prediction, answer_format, options)
