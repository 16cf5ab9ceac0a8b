with

templates as (

    select * from {{ ref('reality_check__machine_templates') }}
    where translator = 'llm'

),

outcomes as (

    select * from {{ ref('llm__outcomes') }}
    where task = 'translate_template'

),

quotes as (

    select * from {{ ref('llm_quotes') }}

),

-- an answer counts as long as its request quotes the template as it is now
quoted_outcomes as (

    select
        templates.input_id,
        outcomes.model,
        outcomes.reason,
        {{ json_extract_string('outcomes.answer', '$.translation') }} as translation,
        row_number() over (
            partition by templates.input_id
            order by
                case when outcomes.reason is null then 0 else 1 end,
                outcomes.requested_at desc,
                outcomes.custom_id asc
        ) as preference
    from templates
    inner join outcomes
        on templates.input_id = outcomes.input_id
    inner join quotes
        on outcomes.task = quotes.task
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'language_name': 'templates.language_name',
        'masked_text': 'templates.masked_text',
        'yes_word': 'templates.yes_word',
        'no_word': 'templates.no_word',
    }) }}

),

-- of several answers the latest counts; a template that no model was asked for has no text
final as (

    select
        templates.input_id,
        templates.template_id,
        templates.language,
        templates.translator,
        quoted_outcomes.model as translator_version,
        case
            when quoted_outcomes.input_id is null then 'not asked for'
            else quoted_outcomes.reason
        end as error,
        gs_restore_slots(quoted_outcomes.translation, templates.text_en) as text
    from templates
    left join quoted_outcomes
        on
            templates.input_id = quoted_outcomes.input_id
            and quoted_outcomes.preference = 1

)

select * from final
