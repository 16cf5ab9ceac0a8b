with

templates as (

    select * from {{ ref('reality_check__machine_templates') }}
    where translator = 'marian'

),

translations as (

    select
        *,
        gs_translate(
            masked_text, target_token, network_folder, {{ annotations_folder() }}
        ) as translation
    from templates

),

final as (

    select
        input_id,
        template_id,
        language,
        translator,
        {{ struct_extract('translation', 'version') }} as translator_version,
        {{ struct_extract('translation', 'error') }} as error,
        gs_restore_slots({{ struct_extract('translation', 'text') }}, text_en) as text
    from translations

)

select * from final
