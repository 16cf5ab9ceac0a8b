with
bases as (select * from {{ ref('conflict_suite_refined__bases') }}),

protocols as (
    select distinct protocol
    from {{ ref('oracle_policy') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})
),

group_variants as (
    select
        mix.base_id, mix.group_kind,
        mix.group_kind = 'two_answers' and mix.says_sentence_alone as says_sentence_alone,
        definitions.variant_id, definitions.written_state,
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

-- of what a base's text says, a sentence says the same about the thing alone
sentences as (
    select base_id, 'yes' as said_answer, 'assert' as edit_kind, asserting_sentence as sentence
    from {{ ref('conflict_suite_refined__existence_sentences') }}
    where mix_state = 'different'
    union all
    select base_id, 'no' as said_answer, 'deny' as edit_kind, denying_sentence as sentence
    from {{ ref('conflict_suite_refined__existence_sentences') }}
    where mix_state = 'different'
),

spoken_variants as (
    select
        group_variants.*,
        case
            when group_variants.written_state = 'clean' then bases.gold_answer
            when group_variants.written_state = 'irrelevant' then null
            when bases.answer_type = 'boolean' and bases.gold_answer = 'yes' then 'no'
            when bases.answer_type = 'boolean' then 'yes'
            else chosen_edits.text_supported_target
        end as said_answer,
        chosen_edits.edited_caption, chosen_edits.editor as caption_editor,
        chosen_edits.edit_kind as caption_edit_kind,
        chosen_edits.edited_from as caption_edited_from,
        chosen_edits.edited_to as caption_edited_to, bases.caption
    from group_variants
    inner join bases using (base_id)
    left join {{ ref('conflict_suite_refined__chosen_edits') }} as chosen_edits
        on
            group_variants.base_id = chosen_edits.base_id
            and group_variants.written_state = chosen_edits.mix_state
),

shown_variants as (
    select
        spoken_variants.*,
        case
            when sentences.base_id is null then spoken_variants.edited_caption
            else sentences.sentence
        end as text_input,
        case when sentences.base_id is null then spoken_variants.caption_editor else 'rules' end
            as editor,
        coalesce(sentences.edit_kind, spoken_variants.caption_edit_kind) as edit_kind,
        case
            when sentences.base_id is null then spoken_variants.caption_edited_from
            else spoken_variants.caption
        end as edited_from,
        case
            when sentences.base_id is null then spoken_variants.caption_edited_to
            else sentences.sentence
        end as edited_to,
        pictures.shown_image_id, pictures.image_file, pictures.vision_family, pictures.rle
    from spoken_variants
    left join sentences
        on
            spoken_variants.says_sentence_alone
            and spoken_variants.base_id = sentences.base_id
            and spoken_variants.said_answer = sentences.said_answer
    inner join {{ ref('conflict_suite_refined__pictures') }} as pictures
        on
            spoken_variants.base_id = pictures.base_id
            and spoken_variants.image_source = pictures.image_source
            and coalesce(spoken_variants.image_supported_target, '')
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
