-- read by whoever trains a selector of actions, and by nobody else
{{ config(materialized='view') }}
with
bases as (
    select bases.*, refined_bases.asked_question
    from {{ ref('conflict_suite__bases') }} as bases
    inner join {{ ref('conflict_suite_refined__bases') }} as refined_bases using (base_id)
    where
        bases.base_split = 'train'
        and bases.family <> {{ text_literal(var('conflict_suite_heldout_family')) }}
),

texts as (
    select * from {{ ref('conflict_suite_refined__chosen_edits') }}
    where is_retained
),

irrelevant_texts as (
    select * from texts
    where mix_state = 'irrelevant'
),

-- a picture is that of a record that shows it, in this benchmark or another
crossed_records as (
    select
        variants.base_id, variants.group_kind,
        case
            when variants.image_source = 'own' then 'own'
            when variants.image_supported_target is null then 'open'
            else 'other'
        end as picture,
        variants.written_state, variants.mix_state, variants.text_input, variants.gold_answer,
        variants.text_state, variants.image_state, variants.text_supported_target,
        variants.editor, variants.edit_kind, variants.edited_from, variants.edited_to,
        variants.shown_image_id, variants.image_file,
        'conflict_suite_refined' as picture_benchmark,
        variants.candidate_id as picture_example_id
    from {{ ref('conflict_suite_refined__variants') }} as variants
    where variants.protocol = 'refined'
),

-- both photographs of a group of two answers, with what is right of each
answering_pictures as (
    select * from crossed_records
    where group_kind = 'two_answers' and text_state = 'clean' and image_state = 'clean'
),

-- what hides the object leaves its question open; groups of an open question have theirs
hidden_pictures as (
    select
        pictures.base_id, bases.gold_answer, pictures.shown_image_id, pictures.image_file,
        pictures.occlusion_id
    from {{ ref('conflict_suite_refined__pictures') }} as pictures
    inner join bases using (base_id)
    left join crossed_records
        on
            pictures.base_id = crossed_records.base_id
            and crossed_records.group_kind = 'open_question'
    where pictures.image_source = 'hidden' and crossed_records.base_id is null
),

-- beside the hidden object stand the two texts that stand beside the photograph, too
hidden_texts as (
    select
        hidden_pictures.*, texts.mix_state as written_state,
        coalesce(clean_records.text_input, texts.edited_caption) as text_input,
        coalesce(clean_records.editor, texts.editor) as editor,
        coalesce(clean_records.edit_kind, texts.edit_kind) as edit_kind,
        coalesce(clean_records.edited_from, texts.edited_from) as edited_from,
        coalesce(clean_records.edited_to, texts.edited_to) as edited_to,
        clean_records.base_id is not null as is_in_group
    from hidden_pictures
    inner join irrelevant_texts using (base_id)
    inner join texts
        on
            hidden_pictures.base_id = texts.base_id
            and texts.mix_state in ('clean', 'irrelevant')
    left join answering_pictures as clean_records
        on
            hidden_pictures.base_id = clean_records.base_id
            and clean_records.picture = 'own'
            and texts.mix_state = clean_records.written_state
),

-- Every text stands beside pictures of different right moves, and every photograph beside several
-- texts: of two answers two that agree with the picture, two that contradict it and two that say
-- nothing; a text that says nothing never stands without one that does.
mixed_records as (
    select
        crossed_records.* {{ exclude('group_kind') }},
        crossed_records.group_kind = 'open_question' as needs_hidden_picture
    from crossed_records
    left join irrelevant_texts on crossed_records.base_id = irrelevant_texts.base_id
    where crossed_records.group_kind = 'open_question' or irrelevant_texts.base_id is not null
    union all
    select
        answering_pictures.base_id, answering_pictures.picture, 'irrelevant' as written_state,
        'irrelevant' as mix_state, irrelevant_texts.edited_caption as text_input,
        answering_pictures.gold_answer, 'irrelevant' as text_state,
        answering_pictures.image_state, cast(null as string) as text_supported_target,
        irrelevant_texts.editor, irrelevant_texts.edit_kind, irrelevant_texts.edited_from,
        irrelevant_texts.edited_to, answering_pictures.shown_image_id,
        answering_pictures.image_file, answering_pictures.picture_benchmark,
        answering_pictures.picture_example_id, false as needs_hidden_picture
    from answering_pictures
    inner join irrelevant_texts using (base_id)
    union all
    select
        base_id, 'open' as picture, written_state, written_state as mix_state, text_input,
        gold_answer, written_state as text_state, 'irrelevant' as image_state,
        cast(null as string) as text_supported_target, editor, edit_kind, edited_from, edited_to,
        shown_image_id, image_file, 'occlusions' as picture_benchmark,
        occlusion_id as picture_example_id, true as needs_hidden_picture
    from hidden_texts
    union all
    -- of a base without a group the photograph as it is
    select
        base_id, 'own' as picture, written_state, written_state as mix_state, text_input,
        gold_answer, written_state as text_state, 'clean' as image_state,
        cast(null as string) as text_supported_target, editor, edit_kind, edited_from, edited_to,
        shown_image_id, image_file, 'conflict_suite' as picture_benchmark,
        base_id || '::clean' as picture_example_id, true as needs_hidden_picture
    from (
        select
            *,
            bool_or(is_in_group) over (partition by base_id) as has_group
        from hidden_texts
    ) as texts_of_bases
    where not has_group
)

select
    mixed_records.base_id || '::carm::' || mixed_records.picture || '_'
    || mixed_records.written_state as example_id,
    mixed_records.base_id as group_id,
    mixed_records.base_id,
    bases.question_id,
    bases.image_id,
    bases.source_image_id,
    mixed_records.shown_image_id,
    mixed_records.image_file,
    mixed_records.picture_benchmark,
    mixed_records.picture_example_id,
    mixed_records.needs_hidden_picture,
    mixed_records.text_input,
    bases.asked_question as question,
    mixed_records.gold_answer,
    case when oracle_policy.right_move = 'answer' then mixed_records.gold_answer end as target,
    mixed_records.text_supported_target,
    bases.base_split as split,
    bases.family,
    mixed_records.mix_state as operator,
    mixed_records.text_state,
    mixed_records.image_state,
    oracle_policy.text_information,
    oracle_policy.image_information,
    oracle_policy.oracle_action,
    oracle_policy.right_move,
    bases.answer_type,
    bases.template_id,
    mixed_records.editor,
    mixed_records.edit_kind,
    mixed_records.edited_from,
    mixed_records.edited_to,
    {{ text_literal(var('record_versions').conflict_suite) }} as record_version
from mixed_records
inner join bases using (base_id)
inner join {{ ref('oracle_policy') }} as oracle_policy
    on
        oracle_policy.protocol = 'refined'
        and mixed_records.text_state = oracle_policy.text_state
        and mixed_records.image_state = oracle_policy.image_state
