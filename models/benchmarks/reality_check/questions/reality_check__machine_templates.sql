{%- set translators = var('reality_check_translators') -%}
{%- for language in translators if language not in var('reality_check_languages') -%}
    {%- do exceptions.raise_compiler_error(
        'reality_check_translators: ' ~ language ~ ' is not one of the var reality_check_languages: '
        ~ var('reality_check_languages') | join(', ')
    ) -%}
{%- endfor -%}
with
languages as (
    select * from {{ ref('reality_check_languages') }}
    where language <> 'en'
),

language_words as (
    select
        language,
        max(case answer when 'Yes' then word end) as yes_word,
        max(case answer when 'No' then word end) as no_word
    from {{ ref('reality_check_answer_words') }}
    group by language
),

-- a language that the var does not name is translated by no machine
chosen_translators as (
    select
        *,
        case
            when language = 'en' then cast(null as string)
            {%- for language, translator in translators.items() %}
            when language = {{ text_literal(language) }} then {{ text_literal(translator) }}
            {%- endfor %}
        end as chosen_translator
    from languages
)

select
    templates.template_id || '::' || chosen_translators.language as input_id,
    templates.template_id, chosen_translators.language,
    chosen_translators.name as language_name,
    case chosen_translators.chosen_translator
        when 'llm' then 'llm'
        else 'marian'
    end as translator,
    case
        when chosen_translators.chosen_translator <> 'llm'
            then chosen_translators.chosen_translator
    end as network_folder,
    chosen_translators.target_token, templates.text_en,
    gs_mask_slots(templates.text_en) as masked_text,
    language_words.yes_word, language_words.no_word
from {{ ref('reality_check_question_templates') }} as templates
cross join chosen_translators
left join language_words on chosen_translators.language = language_words.language
where chosen_translators.chosen_translator is not null
