{%- set word_of_piece %}lower({{ regexp_extract('piece', '[A-Za-z0-9]+$') }}){% endset %}
{%- set is_number -%}
    {{ regexp_matches('word', '^[0-9]+$') }} or array_contains(vocabulary.number_words, word)
{%- endset %}
{%- set color_position -%}
    1 + {{ seeded_int('color_edit', 'base_id', list_length('other_colors')) }}
{%- endset -%}
with
bases as (
    select base_id, answer_type, gold_answer, caption, {{ word_pieces('caption') }} as pieces
    from {{ ref('conflict_suite__bases') }}
),

colors as (
    select canonical as color, position
    from {{ ref('answer_forms') }}
    where answer_type = 'color' and is_gold_form
),

number_words as (
    select surface as word, cast(canonical as integer) as value
    from {{ ref('answer_forms') }}
    where answer_type = 'integer' and is_gold_form
),

-- the closed vocabularies as one row of lists
vocabulary as (
    select
        (
            select {{ array_agg('verb', order_by='verb') }}
            from {{ vocabulary('conflict_suite', 'negatable_verbs', word='verb') }} as listed_verbs
        ) as verbs,
        (select {{ array_agg('color', order_by='position') }} from colors) as colors,
        (select {{ array_agg('word', order_by='value') }} from number_words)
            as number_words,
        (select {{ array_agg('value', order_by='value') }} from number_words)
            as number_values
),

bases_with_words as (
    select *, {{ list_transform('pieces', 'piece', word_of_piece) }} as words from bases
),

-- the first match in text order, and what is done to it
first_matches as (
    select
        bases_with_words.*,
        vocabulary.*,
        coalesce({{ list_position('bases_with_words.words', "'not'") }}, 0) as not_position,
        coalesce({{ list_position(
            list_transform('bases_with_words.words', 'word', 'array_contains(vocabulary.verbs, word)'), 'true'
        ) }}, 0) as verb_position,
        coalesce({{ list_position(
            list_transform('bases_with_words.words', 'word', 'array_contains(vocabulary.colors, word)'), 'true'
        ) }}, 0) as color_position,
        coalesce({{ list_position(
            list_transform('bases_with_words.words', 'word', is_number), 'true'
        ) }}, 0) as number_position
    from bases_with_words
    cross join vocabulary
),

chosen_edits as (
    select
        *,
        case
            when answer_type = 'boolean' and not_position > 0 then 'remove_not'
            when answer_type = 'boolean' and verb_position > 0 then 'insert_not'
            when answer_type = 'boolean' then 'prepend_not'
            when answer_type = 'integer' and number_position > 0 then 'change_number'
            when answer_type = 'integer' then 'append_count'
            when color_position > 0 then 'change_color'
            else 'append_color'
        end as edit_kind,
        case
            when answer_type = 'boolean' and not_position > 0 then not_position
            when answer_type = 'boolean' then verb_position
            when answer_type = 'integer' then number_position
            else color_position
        end as edit_position
    from first_matches
),

-- the caption around the edited word: head, separator, word, tail
words_in_place as (
    select
        *,
        {{ array_join(list_head('pieces', 'edit_position - 1'), "''") }} as head,
        {{ regexp_extract(list_extract('pieces', 'edit_position'), '^[^A-Za-z0-9]*') }}
            as separator,
        {{ regexp_extract(list_extract('pieces', 'edit_position'), '[A-Za-z0-9]+$') }} as word,
        substr(
            caption,
            length({{ array_join(list_head('pieces', 'edit_position'), "''") }}) + 1
        ) as tail
    from chosen_edits
),

words_with_values as (
    select
        *,
        lower(word) as word_lower,
        {{ plain_digits('word') }} as word_digits,
        {{ list_extract('number_values', list_position('number_words', 'lower(word)')) }}
            as word_value,
        {{ list_filter(
            'colors', 'color', 'color <> coalesce(lower(word), gold_answer) and color <> gold_answer'
        ) }} as other_colors
    from words_in_place
),

-- numbers keep their form; the largest ones have no successor to go to, so they step down
replacements as (
    select
        *,
        case edit_kind
            when 'remove_not' then ''
            when 'insert_not' then word || ' not'
            when 'prepend_not' then 'not'
            when 'change_number'
                then
                    case
                        when word_value is not null
                            then coalesce(
                                {{ list_extract(
                                    'number_words', list_position('number_values', 'word_value + 1')
                                ) }},
                                {{ list_extract(
                                    'number_words', list_position('number_values', 'word_value - 1')
                                ) }}
                            )
                        -- too many digits for an integer are beyond it, too
                        when
                            try_cast(word_digits as bigint)
                            <= {{ threshold('conflict_suite', 'last_number_edited_up') }}
                            then {{ next_number('word_digits') }}
                        else {{ previous_number('word_digits') }}
                    end
            when 'append_count' then {{ next_number('gold_answer') }}
            else {{ list_extract('other_colors', color_position) }}
        end as replacement
    from words_with_values
)

select
    base_id, edit_kind,
    coalesce(word, '') as edited_from,
    case
        when edit_kind in ('change_number', 'change_color')
            then {{ capitalized_like('replacement', 'word') }}
        else replacement
    end as edited_to,
    case edit_kind
        when 'remove_not'
            then
                case
                    when tail like ' %' then head || separator || substr(tail, 2)
                    when separator like '% '
                        then head || substr(separator, 1, length(separator) - 1) || tail
                    else head || separator || tail
                end
        when 'insert_not' then head || separator || word || ' not' || tail
        when 'prepend_not' then 'not ' || caption
        when 'append_count'
            then
                {{ without_final_stops('caption') }}
                || ' There are ' || replacement || ' objects.'
        when 'append_color'
            then {{ without_final_stops('caption') }} || ' It is ' || replacement || '.'
        else head || separator || {{ capitalized_like('replacement', 'word') }} || tail
    end as edited_caption
from replacements
