{%- set least_challenges -%}
    ceil({{ rc_threshold('least_challenges') }} * {{ var('reality_check_scale') }})
{%- endset -%}
with
question_templates as (
    select * from {{ ref('reality_check_question_templates') }}
    where is_in_use
),

languages as (select * from {{ ref('reality_check_languages') }}),

templates as (
    select * from {{ ref('reality_check__templates') }}
    where is_in_use
),

questions as (select * from {{ ref('reality_check__questions') }}),

-- greetings in the script of their language, and English ones that pass for a language
greetings as (
    select 'zh' as language, 'Hello world' as text, false as is_in_language
    union all
    select 'ar' as language, 'Hello world' as text, false as is_in_language
    union all
    select 'es' as language, 'Hola mundo' as text, true as is_in_language
    union all
    select 'zh' as language, '你好世界' as text, true as is_in_language
    union all
    select 'hi' as language, 'नमस्ते दुनिया' as text, true as is_in_language
    union all
    select 'ar' as language, 'مرحبا بالعالم' as text, true as is_in_language
),

greeting_shares as (
    select
        greetings.is_in_language,
        gs_script_share(greetings.text, languages.script)
        >= {{ rc_threshold('script_share') }} as is_in_script
    from greetings
    inner join languages using (language)
),

-- a template that lost a slot may not be asked
lost_templates as (
    select question_templates.template_id, languages.language
    from question_templates
    cross join languages
    left join templates
        on
            question_templates.template_id = templates.template_id
            and languages.language = templates.language
    where templates.template_id is null
),

masked_templates as (
    select template_id
    from templates
    where {{ regexp_matches('upper(text)', '(\\[|［|【)[ ]*SLOT') }}
),

-- every row, not the first two thousand
unasked_questions as (
    select challenges.challenge_id, languages.language
    from {{ ref('reality_check__challenges') }} as challenges
    cross join languages
    left join questions
        on
            challenges.challenge_id = questions.challenge_id
            and languages.language = questions.language
    where
        questions.question is null
        or length(questions.question) < {{ rc_threshold('least_question_length') }}
),

right_scripts as (
    select * from greeting_shares
    where is_in_language and is_in_script
),

wrong_scripts as (
    select * from greeting_shares
    where not is_in_language and not is_in_script
),

asked_challenges as (
    select distinct challenge_id from questions
)

{{ counted_check('5.1', 'slots_survive', 'lost_templates') }}
union all
{{ counted_check('5.1', 'no_mask_left', 'masked_templates') }}
union all
{{ counted_check('5.2', 'right_script_passes', 'right_scripts', least=4, most=4) }}
union all
{{ counted_check('5.2', 'wrong_script_fails', 'wrong_scripts', least=2, most=2) }}
union all
{{ counted_check('5.3', 'questions_complete', 'unasked_questions') }}
union all
{{ counted_check(
    '5.3', 'record_count', 'asked_challenges', least=least_challenges, most=none
) }}
