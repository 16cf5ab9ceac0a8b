with

chosen_edits as (

    select * from {{ ref('conflict_suite_refined__chosen_edits') }}
    where is_retained

),

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

definitions as (

    select * from {{ ref('conflict_suite_refined_variants') }}

),

image_donors as (

    select * from {{ ref('conflict_suite_refined__image_donors') }}

),

images as (

    select * from {{ ref('images__source_images') }}

),

-- each base has the variants of its third; what an edit changed belongs to those that show it
base_variants as (

    select
        chosen_edits.base_id,
        definitions.variant_id,
        definitions.operator,
        definitions.corrupt_modality,
        definitions.severity,
        definitions.text_state,
        definitions.image_state,
        definitions.image_source,
        bases.image_file,
        chosen_edits.text_supported_target,
        chosen_edits.text_target_reason,
        case
            when definitions.text_source = 'caption' then bases.caption
            else chosen_edits.edited_caption
        end as text_input,
        case when definitions.text_source = 'refined_edit' then chosen_edits.edit_kind end
            as edit_kind,
        case when definitions.text_source = 'refined_edit' then chosen_edits.edited_from end
            as edited_from,
        case when definitions.text_source = 'refined_edit' then chosen_edits.edited_to end
            as edited_to
    from chosen_edits
    inner join bases
        on chosen_edits.base_id = bases.base_id
    inner join definitions
        on chosen_edits.mix_state = definitions.mix_state

),

final as (

    select
        base_variants.base_id || '::' || base_variants.variant_id as candidate_id,
        base_variants.base_id,
        base_variants.variant_id,
        base_variants.operator,
        base_variants.corrupt_modality,
        base_variants.text_input,
        base_variants.text_state,
        base_variants.image_state,
        base_variants.edit_kind,
        base_variants.edited_from,
        base_variants.edited_to,
        base_variants.text_supported_target,
        base_variants.text_target_reason,
        base_variants.image_source,
        image_donors.image_donor_id,
        coalesce(images.file_name, base_variants.image_file) as image_file,
        base_variants.severity
    from base_variants
    left join image_donors
        on
            base_variants.base_id = image_donors.base_id
            and base_variants.image_source = 'image_donor'
    left join images
        on image_donors.image_donor_id = images.source_image_id

)

select * from final
