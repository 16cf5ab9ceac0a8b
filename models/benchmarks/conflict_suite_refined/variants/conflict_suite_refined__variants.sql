with

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}

),

chosen_edits as (

    select * from {{ ref('conflict_suite_refined__chosen_edits') }}

),

bases as (

    select * from {{ ref('conflict_suite_refined__bases') }}

),

definitions as (

    select * from {{ ref('conflict_suite_refined_variants') }}

),

labels as (

    select * from {{ ref('conflict_suite_refined_labels') }}
    where protocol in ({{ text_literals(var('conflict_suite_refined_protocols')) }})

),

pictures as (

    select * from {{ ref('conflict_suite_refined__pictures') }}

),

-- as published, a caption without an edit is clean
mixed_texts as (

    select
        mix.base_id,
        mix.mix_state,
        labels.protocol,
        labels.labels,
        chosen_edits.edited_caption as text_input,
        case
            when labels.labels = 'published' and chosen_edits.text_source = 'caption' then 'clean'
            else chosen_edits.text_state
        end as text_state,
        chosen_edits.editor,
        chosen_edits.edit_kind,
        chosen_edits.edited_from,
        chosen_edits.edited_to,
        chosen_edits.fitting_states,
        chosen_edits.text_supported_target,
        chosen_edits.text_target_reason
    from mix
    inner join chosen_edits
        on
            mix.base_id = chosen_edits.base_id
            and mix.mix_state = chosen_edits.mix_state
    cross join labels

),

base_variants as (

    select
        mixed_texts.*,
        definitions.variant_id,
        definitions.operator,
        definitions.corrupt_modality,
        definitions.severity,
        definitions.image_source,
        bases.gold_answer,
        bases.source_image_id,
        bases.is_about_object
    from mixed_texts
    inner join definitions
        on
            mixed_texts.protocol = definitions.protocol
            and mixed_texts.text_state = definitions.mix_state
    inner join bases
        on mixed_texts.base_id = bases.base_id

),

-- what the picture alone supports; as published, a picture of something else says nothing
pictured_variants as (

    select
        base_variants.*,
        pictures.shown_image_id,
        pictures.image_file,
        pictures.vision_family,
        pictures.rle,
        case when base_variants.labels = 'computed' then pictures.image_supported_target end
            as image_supported_target,
        case
            when base_variants.image_source = 'own' then 'clean'
            when base_variants.labels = 'published' then 'irrelevant'
            when pictures.base_id is null then null
            when pictures.image_supported_target is null then 'irrelevant'
            when pictures.image_supported_target = base_variants.gold_answer then 'clean'
            else 'different'
        end as image_state
    from base_variants
    left join pictures
        on
            base_variants.base_id = pictures.base_id
            and base_variants.image_source = pictures.image_source

),

final as (

    select
        base_id || '::' || protocol || '::' || variant_id as candidate_id,
        base_id,
        protocol,
        labels,
        variant_id,
        mix_state,
        operator,
        corrupt_modality,
        text_input,
        text_state,
        image_state,
        fitting_states,
        editor,
        edit_kind,
        edited_from,
        edited_to,
        text_supported_target,
        text_target_reason,
        image_supported_target,
        image_source,
        shown_image_id,
        case when image_source = 'donor' then shown_image_id end as image_donor_id,
        image_file,
        vision_family,
        rle,
        gold_answer,
        severity,
        is_about_object
    from pictured_variants

)

select * from final
