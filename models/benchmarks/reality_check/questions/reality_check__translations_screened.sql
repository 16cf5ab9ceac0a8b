with

texts as (

    select * from {{ ref('reality_check__template_texts') }}

),

first_failures as (

    {{ first_failed_gate('reality_check', {
        'translation': 'reality_check__translation_check',
        'slots': 'reality_check__slots_check',
        'length': 'reality_check__length_check',
        'script': 'reality_check__script_check',
        'change': 'reality_check__change_check',
    }, screening='reality_check_translation', with_detail=['translation', 'slots']) }}

),

final as (

    select
        texts.candidate_id,
        texts.template_id,
        texts.bias_type,
        texts.language,
        texts.translator,
        texts.translator_version,
        texts.text_en,
        texts.text,
        first_failures.drop_stage,
        first_failures.drop_reason,
        first_failures.drop_detail,
        texts.is_in_use,
        first_failures.candidate_id is null as is_retained
    from texts
    left join first_failures
        on texts.candidate_id = first_failures.candidate_id

)

select * from final
