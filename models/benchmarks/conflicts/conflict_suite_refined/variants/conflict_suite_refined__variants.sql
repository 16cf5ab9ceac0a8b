with
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),

protocols as (
    select distinct protocol
    from {{ ref('oracle_policy') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})
),

group_variants as (
    select
        mix.base_id, mix.group_kind, definitions.variant_id, definitions.written_state,
        definitions.mix_state, definitions.operator, definitions.corrupt_modality,
        definitions.severity,
        case definitions.picture
            when 'own' then 'own'
            when 'other' then mix.other_source
            when 'open' then mix.open_source
        end as image_source,
        case definitions.picture
            when 'own' then bases.gold_answer
            when 'other' then mix.other_answer
        end as image_supported_target,
        -- a text written against the base's answer, or about none, is judged by what is shown
        case when definitions.answer_of = 'other' then mix.other_answer else bases.gold_answer end
            as gold_answer
    from {{ ref('conflict_suite_refined__mix') }} as mix
    inner join {{ ref('conflict_suite_refined_variants') }} as definitions using (group_kind)
    inner join bases using (base_id)
),

shown_variants as (
    select
        group_variants.*,
        chosen_edits.edited_caption as text_input,
        chosen_edits.editor, chosen_edits.edit_kind, chosen_edits.edited_from,
        chosen_edits.edited_to,
        case group_variants.written_state
            when 'clean' then bases.gold_answer
            when 'different' then chosen_edits.text_supported_target
        end as said_answer,
        pictures.shown_image_id, pictures.image_file, pictures.vision_family, pictures.rle
    from group_variants
    inner join bases using (base_id)
    inner join {{ ref('conflict_suite_refined__chosen_edits') }} as chosen_edits
        on
            group_variants.base_id = chosen_edits.base_id
            and group_variants.written_state = chosen_edits.mix_state
    inner join {{ ref('conflict_suite_refined__pictures') }} as pictures
        on
            group_variants.base_id = pictures.base_id
            and group_variants.image_source = pictures.image_source
            and coalesce(group_variants.image_supported_target, '')
            = coalesce(pictures.image_supported_target, '')
),

-- what text and picture say alone, beside what is right
stated_variants as (
    select
        *,
        case
            when said_answer is null then 'irrelevant'
            when said_answer = gold_answer then 'clean'
            else 'different'
        end as text_state,
        case
            when image_supported_target is null then 'irrelevant'
            when image_supported_target = gold_answer then 'clean'
            else 'different'
        end as image_state
    from shown_variants
)

select
    stated_variants.base_id || '::' || protocols.protocol || '::' || stated_variants.variant_id
        as candidate_id,
    stated_variants.base_id, protocols.protocol, stated_variants.group_kind,
    stated_variants.variant_id, stated_variants.written_state, stated_variants.mix_state,
    stated_variants.operator, stated_variants.corrupt_modality, stated_variants.text_input,
    stated_variants.text_state, stated_variants.image_state, stated_variants.editor,
    stated_variants.edit_kind, stated_variants.edited_from, stated_variants.edited_to,
    case when stated_variants.text_state = 'different' then stated_variants.said_answer end
        as text_supported_target,
    case stated_variants.text_state
        when 'clean' then 'text_is_clean'
        when 'irrelevant' then 'text_answers_nothing'
    end as text_target_reason,
    stated_variants.image_supported_target, stated_variants.image_source,
    stated_variants.shown_image_id,
    case
        when stated_variants.image_source in ('partner', 'donor')
            then stated_variants.shown_image_id
    end as image_donor_id,
    stated_variants.image_file, stated_variants.vision_family, stated_variants.rle,
    stated_variants.gold_answer, stated_variants.severity
from stated_variants
cross join protocols
