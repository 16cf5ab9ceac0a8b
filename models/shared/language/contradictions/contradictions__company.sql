-- which words stand in captions with what the lexicon knows: what it hangs on, its adjective, what
-- stands right behind it, and all others
with
neighbours as (select * from {{ ref('contradictions__neighbours') }}),

-- "gray" and "orange" are several readings of one term, and count once
concepts as (
    select distinct term, concept, change_type
    from {{ ref('lexicon__terms') }}
),

placed_terms as (
    select neighbours.*, concepts.concept, concepts.change_type
    from neighbours
    inner join concepts using (term)
),

accompanied_terms as (
    select source_image_id, concept, change_type, 'before' as place, word_before as word
    from placed_terms
    union all
    select source_image_id, concept, change_type, 'modifier' as place, modifier as word
    from placed_terms
    union all
    select source_image_id, concept, change_type, 'behind' as place, word_behind as word
    from placed_terms
    union all
    select
        source_image_id, concept, change_type, 'anywhere' as place,
        {{ unnest_list(list_concat(
            list_head('words', 'position - 1'),
            list_slice('words', 'end_position', list_length('words'))
        )) }} as word
    from placed_terms
),

word_stems as (
    select
        source_image_id, concept, change_type, place,
        {{ regexp_replace('word', 's$', '') }} as stem
    from accompanied_terms
    where word is not null
),

counted_pairs as (
    select
        concept, change_type, place, stem, count(distinct source_image_id) as n_pictures
    from word_stems
    group by concept, change_type, place, stem
)

-- a lift of 1 is what chance brings together
select
    concept, change_type, place, stem, n_pictures,
    n_pictures * 1.0 * sum(n_pictures) over (partition by change_type, place)
    / sum(n_pictures) over (partition by change_type, place, concept)
    / sum(n_pictures) over (partition by change_type, place, stem) as lift
from counted_pairs
