with
-- many records fill their slots alike
slot_sets as (
    select distinct slots
    from {{ ref('reality_check__asked_records') }}
    where slots is not null
),

slot_values as (
    select
        slot_sets.slots, slot_names.slot, slot_names.term_kind,
        {{ json_field('slot_sets.slots', 'slot_names.slot') }} as value
    from slot_sets
    cross join {{ vocabulary('reality_check', 'slots', word='slot', value='term_kind') }}
        as slot_names
),

-- a name without a term stays English; a number is no name
localized_values as (
    select
        slot_values.slots, slot_values.slot, languages.language,
        coalesce(terms.text, slot_values.value) as text,
        languages.language <> 'en'
        and slot_values.term_kind is not null
        and terms.text is null as is_english
    from slot_values
    cross join {{ ref('reality_check_languages') }} as languages
    left join {{ ref('reality_check_terms') }} as terms
        on
            slot_values.term_kind = terms.term_kind
            and slot_values.value = terms.english
            and languages.language = terms.language
            and '{{ var("reality_check_slot_terms") }}' = 'localized'
    where slot_values.value is not null
)

select
    slots, language,
    max(case slot when 'object_category' then text end) as object_category,
    max(case slot when 'count_a' then text end) as count_a,
    max(case slot when 'count_b' then text end) as count_b,
    max(case slot when 'supercategory' then text end) as supercategory,
    max(case slot when 'color_1' then text end) as color_1,
    max(case slot when 'object_1' then text end) as object_1,
    max(case slot when 'color_2' then text end) as color_2,
    max(case slot when 'object_2' then text end) as object_2,
    cast(sum(case when is_english then 1 else 0 end) as bigint) as n_english_slots
from localized_values
group by slots, language
