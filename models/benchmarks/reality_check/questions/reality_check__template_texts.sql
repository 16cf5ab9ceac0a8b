with
templates as (select * from {{ ref('reality_check_question_templates') }}),
languages as (select * from {{ ref('reality_check_languages') }}),
machine_templates as (select * from {{ ref('reality_check__machine_templates') }}),

outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'translate_template'
),

network_translations as (
    select
        *,
        gs_translate(
            masked_text, target_token, network_folder, {{ annotations_folder() }}
        ) as translation
    from machine_templates
    where translator = 'marian'
),

-- an answer counts as long as its request quotes the template as it is now
quoted_outcomes as (
    select
        machine_templates.input_id, outcomes.model, outcomes.reason,
        {{ json_extract_string('outcomes.answer', '$.translation') }} as translation,
        row_number() over (
            partition by machine_templates.input_id
            order by
                case when outcomes.reason is null then 0 else 1 end,
                outcomes.requested_at desc,
                outcomes.custom_id asc
        ) as preference
    from machine_templates
    inner join outcomes using (input_id)
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where
        machine_templates.translator = 'llm'
        and {{ is_quoted('outcomes.request_text', 'quotes.quote', {
            'language_name': 'machine_templates.language_name',
            'masked_text': 'machine_templates.masked_text',
            'yes_word': 'machine_templates.yes_word',
            'no_word': 'machine_templates.no_word',
        }) }}
),

-- of several answers the latest counts; a template that no model was asked for has no text
machine_texts as (
    select
        template_id, language, translator,
        translation.version as translator_version,
        translation.error as error,
        gs_restore_slots(translation.text, text_en) as text
    from network_translations
    union all
    select
        machine_templates.template_id, machine_templates.language, machine_templates.translator,
        quoted_outcomes.model as translator_version,
        case
            when quoted_outcomes.input_id is null then 'not asked for'
            else quoted_outcomes.reason
        end as error,
        gs_restore_slots(quoted_outcomes.translation, machine_templates.text_en) as text
    from machine_templates
    left join quoted_outcomes
        on
            machine_templates.input_id = quoted_outcomes.input_id
            and quoted_outcomes.preference = 1
    where machine_templates.translator = 'llm'
),

-- a template has a row in every language, so that a translation that is not there is found
written_texts as (
    select
        templates.template_id, languages.language, 'templates' as translator,
        cast(null as string) as translator_version, cast(null as string) as error,
        case languages.language when 'en' then templates.text_en else translations.text end as text
    from templates
    cross join languages
    left join {{ ref('reality_check_template_translations') }} as translations
        on
            templates.template_id = translations.template_id
            and languages.language = translations.language
),

given_texts as (
    select * from written_texts
    union all
    select * from machine_texts
)

select
    given_texts.template_id || '::' || given_texts.language || '::' || given_texts.translator
        as candidate_id,
    given_texts.template_id, templates.bias_type, given_texts.language, languages.script,
    given_texts.translator, given_texts.translator_version, templates.valid_answers,
    templates.text_en,
    gs_tidy_translation(given_texts.text, given_texts.language) as text,
    given_texts.error, languages.position, templates.is_in_use
from given_texts
inner join templates using (template_id)
inner join languages using (language)
