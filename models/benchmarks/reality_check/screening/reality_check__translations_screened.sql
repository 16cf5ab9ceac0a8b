with
failures as (
    {{ first_failures('reality_check', 'reality_check_translation') }}
)

select
    texts.candidate_id, texts.template_id, texts.bias_type, texts.language, texts.translator,
    texts.translator_version, texts.text_en, texts.text, failures.drop_stage, failures.drop_reason,
    failures.drop_detail, texts.is_in_use,
    failures.candidate_id is null as is_retained
from {{ ref('reality_check__template_texts') }} as texts
left join failures using (candidate_id)
