-- a view: the examples alone read it, and hold all of its columns
{{ config(materialized='view') }}
with
bases as (select * from {{ ref('conflict_suite__bases') }}),

definitions as (
    select * from {{ ref('variant_definitions') }}
    where {{ is_variant_in_use() }}
),

-- kept as it is, so that all cores make its variants: of so few rows one core would read most
texts as {{ computed_once() }} (
    select
        bases.base_id, bases.caption, donors.easy_donor_base_id, donors.hard_donor_base_id,
        donors.hard_donor_jaccard, donors.hard_swap_flag, text_edits.edit_kind,
        text_edits.edited_from, text_edits.edited_to, text_edits.edited_caption
    from bases
    inner join {{ ref('conflict_suite__donors') }} as donors using (base_id)
    inner join {{ ref('conflict_suite__text_edits') }} as text_edits using (base_id)
),

-- a variant's text is the base's caption, a donor's, or the edited one
text_sources as (
    select
        texts.base_id,
        definitions.*,
        texts.caption as base_caption,
        case definitions.text_source
            when 'easy_donor' then texts.easy_donor_base_id
            when 'hard_donor' then texts.hard_donor_base_id
        end as donor_base_id,
        case when definitions.text_source = 'hard_donor' then texts.hard_donor_jaccard end
            as donor_jaccard,
        case when definitions.text_source = 'text_edit' then texts.edit_kind end
            as edit_kind,
        case when definitions.text_source = 'text_edit' then texts.edited_from end
            as edited_from,
        case when definitions.text_source = 'text_edit' then texts.edited_to end
            as edited_to,
        case when definitions.text_source = 'text_edit' then texts.edited_caption end
            as edited_caption,
        definitions.text_source = 'hard_donor' and texts.hard_swap_flag as hard_swap_flag
    from texts
    cross join definitions
)

select
    text_sources.base_id || '::' || text_sources.variant_id as example_id,
    text_sources.base_id, text_sources.variant_id, text_sources.operator,
    text_sources.corrupt_modality,
    case text_sources.text_source
        when 'caption' then text_sources.base_caption
        when 'text_edit' then text_sources.edited_caption
        else donor_bases.caption
    end as text_input,
    text_sources.text_state, text_sources.image_state, text_sources.donor_base_id,
    text_sources.edit_kind, text_sources.edited_from, text_sources.edited_to,
    text_sources.vision_family, text_sources.vision_scale,
    case
        when text_sources.vision_family is not null
            then text_sources.base_id || '::' || text_sources.variant_id
    end as vision_seed_key,
    text_sources.severity, text_sources.donor_jaccard, text_sources.vision_area_fraction,
    text_sources.hard_swap_flag
from text_sources
left join bases as donor_bases on text_sources.donor_base_id = donor_bases.base_id
