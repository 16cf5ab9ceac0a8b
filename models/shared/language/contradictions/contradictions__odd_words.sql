-- "a combination cake", "a kitchen with the bedspread": a word that could stand there by its kind,
-- and that nobody writes in such company
with
neighbours as (select * from {{ ref('contradictions__neighbours') }}),

limits as (
    select
        {{ threshold('shared', 'company_least_pictures') }} as least_pictures,
        {{ threshold('shared', 'company_least_expected') }} as least_expected,
        {{ threshold('shared', 'company_least_uses') }} as least_uses,
        {{ threshold('shared', 'company_least_lift') }} as least_lift
),

-- an adjective, and what stands right behind, need be written once: "a concrete railing"
company as (
    select
        all_company.concept as new_concept, all_company.change_type, all_company.place,
        all_company.stem, true as is_written
    from {{ ref('contradictions__company') }} as all_company
    cross join limits
    where
        all_company.place in ('modifier', 'behind')
        or (
            all_company.lift >= limits.least_lift
            and (all_company.place = 'anywhere' or all_company.n_pictures >= limits.least_uses)
        )
),

caption_stems as (
    select
        caption_id, source_image_id,
        {{ unnest_list(list_transform('words', 'word', regexp_replace('word', 's$', ''))) }}
            as stem
    from {{ ref('contradictions__caption_words') }}
),

-- few captions do not show what people write
enough_captions as (
    select count(distinct caption_stems.source_image_id) as n_pictures
    from caption_stems
),

stem_counts as (
    select stem, count(distinct source_image_id) as n_pictures
    from caption_stems
    group by stem
),

concept_counts as (
    select terms.concept as new_concept, count(distinct neighbours.source_image_id) as n_pictures
    from neighbours
    inner join {{ ref('lexicon__terms') }} as terms using (term)
    group by terms.concept
),

-- numbers go with everything
editable_readings as (
    select
        readings.caption_id, readings.position, readings.change_type, readings.swap_set,
        readings.form, readings.concept, neighbours.end_position, neighbours.words,
        neighbours.word_before, neighbours.modifier, neighbours.word_behind
    from {{ ref('contradictions__readings') }} as readings
    inner join neighbours using (caption_id, position, term)
    cross join enough_captions
    cross join limits
    where
        readings.is_held
        and readings.swap_set is not null
        and readings.category not in ('numbers', 'spatial')
        and enough_captions.n_pictures >= limits.least_pictures
),

possible_words as (
    select distinct
        editable_readings.caption_id, editable_readings.position, editable_readings.change_type,
        editable_readings.word_before, editable_readings.modifier, editable_readings.word_behind,
        swaps.concept as new_concept
    from editable_readings
    inner join {{ ref('lexicon_swaps') }} as swaps
        on
            editable_readings.swap_set = swaps.swap_set
            and editable_readings.form = swaps.form
            and editable_readings.concept <> swaps.concept
),

accompanying_words as (
    select distinct
        caption_id, position,
        {{ unnest_list(list_transform(
            list_concat(
                list_head('words', 'position - 1'),
                list_slice('words', 'end_position', list_length('words'))
            ),
            'word', regexp_replace('word', 's$', '')
        )) }} as stem
    from editable_readings
    where change_type = 'object'
),

-- an object must go with what it hangs on, with its adjective, and with each word of the caption;
-- an attribute with its noun
needed_company as (
    select caption_id, position, change_type, new_concept, 'before' as place, word_before as word
    from possible_words
    where change_type = 'object'
    union all
    select caption_id, position, change_type, new_concept, 'modifier' as place, modifier as word
    from possible_words
    where change_type = 'object'
    union all
    select caption_id, position, change_type, new_concept, 'behind' as place, word_behind as word
    from possible_words
    union all
    select
        possible_words.caption_id, possible_words.position, possible_words.change_type,
        possible_words.new_concept, 'anywhere' as place, accompanying_words.stem as word
    from possible_words
    inner join accompanying_words using (caption_id, position)
    inner join stem_counts using (stem)
    inner join concept_counts using (new_concept)
    cross join enough_captions
    cross join limits
    -- that two rare words are not found together says nothing
    where
        stem_counts.n_pictures * concept_counts.n_pictures
        >= limits.least_expected * enough_captions.n_pictures
),

needed_stems as (
    select
        caption_id, position, change_type, new_concept, place,
        {{ regexp_replace('word', 's$', '') }} as stem
    from needed_company
    where word is not null
)

select
    needed_stems.caption_id, needed_stems.position, needed_stems.new_concept,
    min(needed_stems.place || ': ' || needed_stems.stem) as missing_company
from needed_stems
left join company using (new_concept, change_type, place, stem)
where company.is_written is null
group by needed_stems.caption_id, needed_stems.position, needed_stems.new_concept
