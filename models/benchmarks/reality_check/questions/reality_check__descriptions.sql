with

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
        color_choices.slots,
        color_choices.language,
        color_choices.description_key,
        color_choices.object_1,
        color_choices.object_2,
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
    inner join templates
        on color_choices.language = templates.language

),

final as (

    select
        slots,
        language,
        description_key,
        gs_tidy_translation({{ filled_slots('template_text', {
            'color_1': 'first_color',
            'object_1': 'object_1',
            'color_2': 'second_color',
            'object_2': 'object_2',
        }) }}, language) as description
    from articled_colors

)

select * from final
