with
asked_records as (
    select * from {{ ref('reality_check__asked_records') }}
    where options is not null
),

slot_texts as (
    select * from {{ ref('reality_check__slot_texts') }}
    where object_2 is not null
),

templates as (
    select * from {{ ref('reality_check__templates') }}
    where bias_type = 'description'
),

-- the two objects in their own colors, in each other's, and both in one of them
color_choices as (
    select
        slot_texts.*,
        'right' as description_key,
        slot_texts.color_1 as first_color,
        slot_texts.color_2 as second_color
    from slot_texts
    union all
    select
        slot_texts.*,
        'swapped' as description_key,
        slot_texts.color_2 as first_color,
        slot_texts.color_1 as second_color
    from slot_texts
    union all
    select
        slot_texts.*,
        'both_first' as description_key,
        slot_texts.color_1 as first_color,
        slot_texts.color_1 as second_color
    from slot_texts
    union all
    select
        slot_texts.*,
        'both_second' as description_key,
        slot_texts.color_2 as first_color,
        slot_texts.color_2 as second_color
    from slot_texts
),

-- English colors bring their article along, which the template writes as `a`
articled_colors as (
    select
        color_choices.slots, color_choices.language, color_choices.description_key,
        color_choices.object_1, color_choices.object_2,
        case color_choices.language
            when 'en'
                then
                    {{ indefinite_article('color_choices.first_color') }}
                    || ' ' || color_choices.first_color
            else color_choices.first_color
        end as first_color,
        case color_choices.language
            when 'en'
                then
                    {{ indefinite_article('color_choices.second_color') }}
                    || ' ' || color_choices.second_color
            else color_choices.second_color
        end as second_color,
        case color_choices.language
            when 'en' then replace(templates.text, 'a {color', '{color')
            else templates.text
        end as template_text
    from color_choices
    inner join templates using (language)
),

descriptions as {{ computed_once() }} (
    select
        slots, language, description_key,
        gs_tidy_translation({{ filled_slots('template_text', {
            'color_1': 'first_color',
            'object_1': 'object_1',
            'color_2': 'second_color',
            'object_2': 'object_2',
        }) }}, language) as description
    from articled_colors
),

option_sets as (
    select distinct coalesce(slots, '') as slots, options from asked_records
),

positions as (
    select {{ unnest_list(integer_series(0, 3)) }} as position
),

numbered_options as (
    select
        option_sets.slots, option_sets.options,
        case positions.position
            when 0 then {{ json_extract_string('option_sets.options', '$[0].letter') }}
            when 1 then {{ json_extract_string('option_sets.options', '$[1].letter') }}
            when 2 then {{ json_extract_string('option_sets.options', '$[2].letter') }}
            when 3 then {{ json_extract_string('option_sets.options', '$[3].letter') }}
        end as letter,
        case positions.position
            when 0 then {{ json_extract_string('option_sets.options', '$[0].key') }}
            when 1 then {{ json_extract_string('option_sets.options', '$[1].key') }}
            when 2 then {{ json_extract_string('option_sets.options', '$[2].key') }}
            when 3 then {{ json_extract_string('option_sets.options', '$[3].key') }}
        end as option_key,
        case positions.position
            when 0 then {{ json_extract_string('option_sets.options', '$[0].text') }}
            when 1 then {{ json_extract_string('option_sets.options', '$[1].text') }}
            when 2 then {{ json_extract_string('option_sets.options', '$[2].text') }}
            when 3 then {{ json_extract_string('option_sets.options', '$[3].text') }}
        end as text_en
    from option_sets
    cross join positions
),

-- the answers to the two questions of a compound stand behind each other
option_parts as (
    select *, {{ unnest_list_with_position(regexp_split('text_en', '; '), 'part', 'place') }}
    from numbered_options
    where text_en is not null
),

-- a part is Yes or No, a description, a letter and a name, or a name
read_parts as (
    select
        option_parts.*,
        english_descriptions.description_key,
        case
            when {{ regexp_matches('option_parts.part', '^[A-D], ') }}
                then substr(option_parts.part, 1, 3)
            else ''
        end as part_letter,
        case
            when {{ regexp_matches('option_parts.part', '^[A-D], ') }}
                then substr(option_parts.part, 4)
            else option_parts.part
        end as part_name
    from option_parts
    left join descriptions as english_descriptions
        on
            option_parts.slots = english_descriptions.slots
            and option_parts.part = english_descriptions.description
            and english_descriptions.language = 'en'
),

translated_parts as (
    select
        read_parts.slots, read_parts.options, read_parts.letter, read_parts.option_key,
        read_parts.place, languages.language,
        case
            when languages.language = 'en' then read_parts.part
            else read_parts.part_letter || coalesce(
                answer_words.word, descriptions.description, terms.text, read_parts.part_name
            )
        end as text
    from read_parts
    cross join {{ ref('reality_check_languages') }} as languages
    left join {{ ref('reality_check_answer_words') }} as answer_words
        on
            languages.language = answer_words.language
            and read_parts.part = answer_words.answer
    left join descriptions
        on
            read_parts.slots = descriptions.slots
            and read_parts.description_key = descriptions.description_key
            and languages.language = descriptions.language
    left join {{ ref('reality_check_terms') }} as terms
        on
            languages.language = terms.language
            and read_parts.part_name = terms.english
            and terms.term_kind = 'label'
            and '{{ var("reality_check_slot_terms") }}' = 'localized'
)

select
    slots, options, language, letter, option_key,
    {{ array_join(array_agg('text', order_by='place'), "'; '") }} as text
from translated_parts
group by slots, options, language, letter, option_key
