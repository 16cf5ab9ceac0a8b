with

templates as (

    select * from {{ ref('reality_check_question_templates') }}

),

translations as (

    select * from {{ ref('reality_check_template_translations') }}

),

languages as (

    select * from {{ ref('reality_check_languages') }}

),

-- a template has a row in every language, so that a translation that is not there is found
written_texts as (

    select
        templates.template_id,
        templates.bias_type,
        templates.valid_answers,
        templates.text_en,
        templates.is_in_use,
        languages.language,
        languages.position,
        languages.script,
        'templates' as translator,
        case languages.language when 'en' then templates.text_en else translations.text end as text
    from templates
    cross join languages
    left join translations
        on
            templates.template_id = translations.template_id
            and languages.language = translations.language

),

final as (

    select
        template_id || '::' || language || '::' || translator as candidate_id,
        template_id,
        bias_type,
        language,
        script,
        translator,
        valid_answers,
        text_en,
        gs_tidy_translation(text, language) as text,
        position,
        is_in_use
    from written_texts

)

select * from final
