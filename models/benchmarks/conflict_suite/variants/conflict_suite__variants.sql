with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

donors as (

    select * from {{ ref('conflict_suite__donors') }}

),

text_edits as (

    select * from {{ ref('conflict_suite__text_edits') }}

),

definitions as (

    select * from {{ ref('variant_definitions') }}
    where {{ is_variant_in_use() }}

),

-- a variant's text is the base's caption, a donor's, or the edited one
sourced as (

    select
        bases.base_id,
        definitions.*,
        bases.caption as base_caption,
        case definitions.text_source
            when 'easy_donor' then donors.easy_donor_base_id
            when 'hard_donor' then donors.hard_donor_base_id
        end as donor_base_id,
        case when definitions.text_source = 'hard_donor' then donors.hard_donor_jaccard end
            as donor_jaccard,
        case when definitions.text_source = 'text_edit' then text_edits.edit_kind end
            as edit_kind,
        case when definitions.text_source = 'text_edit' then text_edits.edited_from end
            as edited_from,
        case when definitions.text_source = 'text_edit' then text_edits.edited_to end
            as edited_to,
        case when definitions.text_source = 'text_edit' then text_edits.edited_caption end
            as edited_caption,
        definitions.text_source = 'hard_donor' and donors.hard_swap_flag as hard_swap_flag
    from bases
    inner join donors
        on bases.base_id = donors.base_id
    inner join text_edits
        on bases.base_id = text_edits.base_id
    cross join definitions

),

final as (

    select
        sourced.base_id || '::' || sourced.variant_id as example_id,
        sourced.base_id,
        sourced.variant_id,
        sourced.operator,
        sourced.corrupt_modality,
        case sourced.text_source
            when 'caption' then sourced.base_caption
            when 'text_edit' then sourced.edited_caption
            else donor_bases.caption
        end as text_input,
        sourced.text_state,
        sourced.image_state,
        sourced.donor_base_id,
        sourced.edit_kind,
        sourced.edited_from,
        sourced.edited_to,
        sourced.vision_family,
        sourced.vision_scale,
        case
            when sourced.vision_family is not null
                then sourced.base_id || '::' || sourced.variant_id
        end as vision_seed_key,
        sourced.severity,
        sourced.donor_jaccard,
        sourced.vision_area_fraction,
        sourced.hard_swap_flag
    from sourced
    left join bases as donor_bases
        on sourced.donor_base_id = donor_bases.base_id

)

select * from final
