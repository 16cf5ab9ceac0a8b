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

marian_texts as (

    select * from {{ ref('reality_check__marian_texts') }}

),

llm_texts as (

    select * from {{ ref('reality_check__llm_texts') }}

),

machine_texts as (

    select
        template_id,
        language,
        translator,
        translator_version,
        error,
        text
    from marian_texts
    union all
    select
        template_id,
        language,
        translator,
        translator_version,
        error,
        text
    from llm_texts

),

-- a template has a row in every language, so that a translation that is not there is found
written_texts as (

    select
        templates.template_id,
        languages.language,
        'templates' as translator,
        cast(null as {{ dbt.type_string() }}) as translator_version,
        cast(null as {{ dbt.type_string() }}) as error,
        case languages.language when 'en' then templates.text_en else translations.text end as text
    from templates
    cross join languages
    left join translations
        on
            templates.template_id = translations.template_id
            and languages.language = translations.language

),

given_texts as (

    select * from written_texts
    union all
    select * from machine_texts

),

final as (

    select
        given_texts.template_id || '::' || given_texts.language || '::' || given_texts.translator
            as candidate_id,
        given_texts.template_id,
        templates.bias_type,
        given_texts.language,
        languages.script,
        given_texts.translator,
        given_texts.translator_version,
        templates.valid_answers,
        templates.text_en,
        gs_tidy_translation(given_texts.text, given_texts.language) as text,
        given_texts.error,
        languages.position,
        templates.is_in_use
    from given_texts
    inner join templates
        on given_texts.template_id = templates.template_id
    inner join languages
        on given_texts.language = languages.language

)

select * from final
