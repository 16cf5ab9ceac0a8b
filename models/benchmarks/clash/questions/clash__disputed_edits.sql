with
phrase_nouns as (
    select
        proposal_id, caption_id, source_image_id, kind, concept, subcategory, subject_noun,
        next_noun, noun,
        {{ regexp_replace('noun', 's$', '') }} as noun_stem
    from {{ ref('clash__phrase_nouns') }}
    where kind in ('number', 'color', 'material', 'pattern', 'shape', 'relation')
),

caption_words as (select * from {{ ref('contradictions__caption_words') }}),

readings as (
    select readings.*, caption_words.source_image_id
    from {{ ref('contradictions__readings') }} as readings
    inner join caption_words using (caption_id)
),

placed_words as (
    select
        caption_id, source_image_id, words,
        {{ unnest_list_with_position('words', 'word', 'position') }}
    from caption_words
),

word_stems as (
    select
        caption_id, source_image_id, position, word,
        {{ regexp_replace('word', 's$', '') }} as stem
    from placed_words
),

noun_categories as (
    select distinct {{ regexp_replace('phrase', 's$', '') }} as stem, category
    from {{ ref('object_words') }}
),

-- the noun, and what else is called as it is: "men", "people"
named_stems as (
    select proposal_id, source_image_id, kind, noun_stem as stem
    from phrase_nouns
    union
    select
        phrase_nouns.proposal_id, phrase_nouns.source_image_id, phrase_nouns.kind, others.stem
    from phrase_nouns
    inner join noun_categories on phrase_nouns.noun_stem = noun_categories.stem
    inner join noun_categories as others using (category)
),

counted_stems as (
    select proposal_id, source_image_id, stem
    from named_stems
    where kind = 'number'
),

-- "several people": a caption that counts them as more than a number says, or "a couple of" three
vague_counts as (
    select counted_stems.proposal_id, min(quantities.word) as word
    from counted_stems
    inner join phrase_nouns using (proposal_id)
    inner join word_stems
        on
            counted_stems.source_image_id = word_stems.source_image_id
            and counted_stems.stem = word_stems.stem
    inner join placed_words as quantities
        on
            word_stems.caption_id = quantities.caption_id
            and word_stems.position - quantities.position between 1 and 4
    inner join {{ vocabulary('clash', 'quantity_words', value='number') }} as quantity_words
        on
            quantities.word = quantity_words.word
            and coalesce(quantity_words.number, '') <> phrase_nouns.concept
    group by counted_stems.proposal_id
),

-- "a couple of animals" may be the three bears
other_pairs as (
    select phrase_nouns.proposal_id, min(quantity_words.word) as word
    from phrase_nouns
    inner join placed_words using (source_image_id)
    inner join {{ vocabulary('clash', 'quantity_words', value='number') }} as quantity_words
        on placed_words.word = quantity_words.word
    where phrase_nouns.kind = 'number' and quantity_words.number <> phrase_nouns.concept
    group by phrase_nouns.proposal_id
),

-- "three people": a caption that counts them otherwise
other_counts as (
    select counted_stems.proposal_id, min(readings.term) as word
    from counted_stems
    inner join phrase_nouns using (proposal_id)
    inner join readings
        on
            counted_stems.source_image_id = readings.source_image_id
            and readings.reading in ('number', 'one')
            and phrase_nouns.concept <> readings.concept
    where
        {{ regexp_replace('readings.next_word', 's$', '') }} = counted_stems.stem
        or {{ regexp_replace('readings.word_after_next', 's$', '') }} = counted_stems.stem
    group by counted_stems.proposal_id
),

-- "two men and a man with a hat"
repeated_nouns as (
    select proposal_id, min(stem) as word
    from (
        select phrase_nouns.proposal_id, phrase_nouns.noun_stem as stem
        from phrase_nouns
        inner join word_stems
            on
                phrase_nouns.source_image_id = word_stems.source_image_id
                and phrase_nouns.noun_stem = word_stems.stem
        where phrase_nouns.kind = 'number'
        group by phrase_nouns.proposal_id, phrase_nouns.noun_stem, word_stems.caption_id
        having count(*) > 1
    ) as repeated
    group by proposal_id
),

-- "a red and white bus", "a glass bowl": what another caption says of the same thing
other_attributes as (
    select phrase_nouns.proposal_id, min(readings.term) as word
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            -- "a green and white bus" is not white
            and (phrase_nouns.concept <> readings.concept or readings.previous_word = 'and')
            and readings.change_type = 'attribute'
            and phrase_nouns.subcategory = readings.subcategory
    inner join named_stems on phrase_nouns.proposal_id = named_stems.proposal_id
    where
        phrase_nouns.kind in ('color', 'material', 'pattern', 'shape')
        and (
            {{ regexp_replace('readings.next_word', 's$', '') }} = named_stems.stem
            or {{ regexp_replace('readings.word_after_next', 's$', '') }} = named_stems.stem
        )
    group by phrase_nouns.proposal_id
),

-- "in front of" in one caption and "behind" in another: words do not tell of which things each is,
-- and from where
other_relations as (
    select phrase_nouns.proposal_id, min(readings.term) as word
    from phrase_nouns
    inner join readings
        on
            phrase_nouns.source_image_id = readings.source_image_id
            and phrase_nouns.concept <> readings.concept
            and readings.change_type = 'relation'
            and phrase_nouns.subcategory = readings.subcategory
    where phrase_nouns.kind = 'relation'
    group by phrase_nouns.proposal_id
),

-- "next to a bus": what is beside it is neither before nor behind it
neighbours as (
    select phrase_nouns.proposal_id, min(placed_words.word) as word
    from phrase_nouns
    inner join placed_words
        on
            phrase_nouns.source_image_id = placed_words.source_image_id
    inner join {{ vocabulary('clash', 'beside_words') }} as beside_words
        on placed_words.word = beside_words.word
    where
        phrase_nouns.kind = 'relation'
        and phrase_nouns.subcategory = 'front_behind'
        and array_contains(
            {{ list_slice(
                'placed_words.words', 'placed_words.position', 'placed_words.position + 4'
            ) }},
            phrase_nouns.next_noun
        )
    group by phrase_nouns.proposal_id
),

-- "a clock tower behind the building" is a part of it, and a sky is behind everything
unplaced_things as (
    select phrase_nouns.proposal_id, phrase_nouns.subject_noun as word
    from phrase_nouns
    inner join {{ vocabulary('clash', 'unplaced_nouns') }} as unplaced_nouns
        on phrase_nouns.subject_noun = unplaced_nouns.word
    where phrase_nouns.kind = 'relation' and phrase_nouns.subcategory = 'front_behind'
),

-- how many one caption sees: "jets" of which another says "a jet"
asked_nouns as (
    select
        proposal_id, caption_id, source_image_id,
        case
            when is_object then {{ regexp_extract('changed_from', '[a-z]+$') }}
            else noun
        end as word
    from {{ ref('clash__phrase_nouns') }}
    where kind <> 'relation'
    union all
    select proposal_id, caption_id, source_image_id, subject_noun as word
    from {{ ref('clash__phrase_nouns') }}
    where is_object or kind = 'relation'
),

-- one noun in both numbers: "man" and "men", and not "man" and "people"
number_forms as (
    select word, other_word
    from {{ ref('clash__same_words') }}
    where
        ({{ is_plural_noun('word') }}) <> ({{ is_plural_noun('other_word') }})
        and substr(word, 1, 2) = substr(other_word, 1, 2)
),

other_numbers as (
    select asked_nouns.proposal_id, min(number_forms.other_word) as word
    from asked_nouns
    inner join number_forms using (word)
    inner join caption_words
        on
            asked_nouns.source_image_id = caption_words.source_image_id
            and asked_nouns.caption_id <> caption_words.caption_id
    where
        array_contains(caption_words.words, number_forms.other_word)
        and not array_contains(caption_words.words, asked_nouns.word)
    group by asked_nouns.proposal_id
),

-- "two skiers" before a crowd
onlookers as (
    select phrase_nouns.proposal_id, min(crowd_words.word) as word
    from phrase_nouns
    inner join {{ ref('object_words') }} as object_words
        on phrase_nouns.noun = object_words.phrase and object_words.category = 'person'
    inner join placed_words using (source_image_id)
    inner join {{ vocabulary('clash', 'crowd_words') }} as crowd_words
        on placed_words.word = crowd_words.word
    where phrase_nouns.kind = 'number'
    group by phrase_nouns.proposal_id
),

lookalikes as (
    select concept, lookalike
    from
        {{ mutual_vocabulary('lexicon', 'lookalikes', 'concept', 'lookalike') }} as listed_pairs
),

-- "sitting on a chair", "sitting on a bed"
governed_objects as (
    select
        proposal_id, caption_id, source_image_id, category, concept,
        {{ regexp_extract('lower(left_text)', '[a-z]+$') }} as governor
    from {{ ref('clash__phrase_nouns') }}
    where is_object and left_text <> ''
),

other_objects as (
    select governed_objects.proposal_id, min(readings.term) as word
    from governed_objects
    inner join readings
        on
            governed_objects.source_image_id = readings.source_image_id
            and governed_objects.category = readings.category
            and governed_objects.concept <> readings.concept
            and governed_objects.caption_id <> readings.caption_id
    inner join caption_words on readings.caption_id = caption_words.caption_id
    left join lookalikes
        on
            governed_objects.concept = lookalikes.concept
            and readings.concept = lookalikes.lookalike
    where
        lookalikes.concept is null
        and array_contains(
            {{ list_slice(
                'caption_words.words', 'greatest(readings.position - 3, 1)', 'readings.position - 1'
            ) }},
            governed_objects.governor
        )
    group by governed_objects.proposal_id
),

-- two sheep that another caption calls cows; a parrot is a bird, and a brown bear a bear
noun_concepts as (
    select phrase_nouns.proposal_id, phrase_nouns.source_image_id, terms.concept, terms.subcategory
    from phrase_nouns
    inner join {{ ref('lexicon__terms') }} as terms
        on phrase_nouns.noun = terms.term and terms.category = 'animals'
),

called_otherwise as (
    select noun_concepts.proposal_id, min(readings.term) as word
    from noun_concepts
    inner join readings
        on
            noun_concepts.source_image_id = readings.source_image_id
            and readings.category = 'animals'
            and noun_concepts.subcategory = readings.subcategory
            and noun_concepts.concept <> readings.concept
            and readings.concept not like '% ' || noun_concepts.concept
    left join lookalikes
        on
            noun_concepts.concept = lookalikes.concept
            and readings.concept = lookalikes.lookalike
    left join readings as same_readings
        on
            readings.caption_id = same_readings.caption_id
            and noun_concepts.concept = same_readings.concept
    where
        lookalikes.concept is null
        and same_readings.caption_id is null
        and noun_concepts.subcategory <> 'birds'
    group by noun_concepts.proposal_id
),

disputes as (
    select proposal_id, unconfirmed as dispute from {{ ref('clash__unconfirmed_edits') }}
    union all
    select proposal_id, 'a caption calls it "' || word || '"' as dispute from called_otherwise
    union all
    select proposal_id, 'a caption has "' || word || '"' as dispute from other_numbers
    union all
    select proposal_id, 'a caption has "' || word || '" besides' as dispute from onlookers
    union all
    select proposal_id, 'a caption says "' || word || '" there' as dispute from other_objects
    union all
    select proposal_id, 'captions count "' || word || '"' as dispute from vague_counts
    union all
    select proposal_id, 'captions count "' || word || '"' as dispute from other_pairs
    union all
    select proposal_id, 'a caption counts "' || word || '"' as dispute from other_counts
    union all
    select proposal_id, 'a caption has "' || word || '" twice' as dispute from repeated_nouns
    union all
    select proposal_id, 'a caption says "' || word || '" of it' as dispute from other_attributes
    union all
    select proposal_id, 'a caption says "' || word || '"' as dispute from other_relations
    union all
    select proposal_id, 'a caption says "' || word || '" of it' as dispute from neighbours
    union all
    select proposal_id, '"' || word || '" has no place of its own' as dispute from unplaced_things
)

select proposal_id, min(dispute) as dispute
from disputes
group by proposal_id
