{%- set place_of_option -%}
    case when taken_words.option_key is null then '1' else '0' end || placed_words.option_order
{%- endset -%}
with
readings as (select * from {{ ref('contradictions__readings') }}),
terms as (select * from {{ ref('lexicon__terms') }}),
object_words as (select * from {{ ref('object_words') }}),
lookalikes as (
    select * from {{ vocabulary('lexicon', 'lookalikes', word='concept', value='lookalike') }}
        as listed_words
),

caption_pictures as (
    select caption_id, source_image_id from {{ ref('contradictions__caption_words') }}
),

-- what may change, "one dog" with the noun and the verb that must agree
editable_readings as (
    select readings.*, caption_pictures.source_image_id
    from readings
    inner join caption_pictures using (caption_id)
    where readings.is_held and readings.swap_set is not null
),

-- a caption that speaks of a concept already is not contradicted by it
mentioned_concepts as (
    select distinct caption_id, concept from readings
),

-- nor is a picture of which another caption speaks of it: what the picture shows counts
picture_concepts as (
    select distinct caption_pictures.source_image_id, readings.concept
    from readings
    inner join caption_pictures using (caption_id)
    where readings.change_type <> 'relation'
),

concept_categories as (
    select distinct terms.concept, object_words.category
    from terms
    inner join object_words on terms.term = object_words.phrase
),

shown_categories as (
    select distinct source_image_id, category from {{ ref('images__instances') }}
),

possible_words as (
    select
        editable_readings.caption_id, editable_readings.position, editable_readings.category,
        editable_readings.subcategory, editable_readings.form, editable_readings.term,
        editable_readings.concept, editable_readings.source_image_id,
        swaps.concept as new_concept, swaps.replacement
    from editable_readings
    inner join {{ ref('lexicon_swaps') }} as swaps
        on
            editable_readings.swap_set = swaps.swap_set
            and editable_readings.form = swaps.form
            and editable_readings.concept <> swaps.concept
),

-- words for what the picture shows besides the old word, by another caption or by an outline
shown_words as (
    select possible_words.caption_id, possible_words.position, possible_words.new_concept
    from possible_words
    inner join picture_concepts
        on
            possible_words.source_image_id = picture_concepts.source_image_id
            and possible_words.new_concept = picture_concepts.concept
    union
    -- a loveseat that another caption has is a couch, too
    select possible_words.caption_id, possible_words.position, possible_words.new_concept
    from possible_words
    inner join lookalikes on possible_words.new_concept = lookalikes.lookalike
    inner join picture_concepts
        on
            possible_words.source_image_id = picture_concepts.source_image_id
            and lookalikes.concept = picture_concepts.concept
    where lookalikes.concept <> possible_words.concept
    union
    -- an outline that has the name of both, such as a person's, tells nothing
    select possible_words.caption_id, possible_words.position, possible_words.new_concept
    from possible_words
    inner join concept_categories on possible_words.new_concept = concept_categories.concept
    inner join shown_categories
        on
            possible_words.source_image_id = shown_categories.source_image_id
            and concept_categories.category = shown_categories.category
    left join concept_categories as old_categories
        on
            possible_words.concept = old_categories.concept
            and concept_categories.category = old_categories.category
    where old_categories.concept is null
),

plausible_words as (
    select
        possible_words.*,
        lookalikes.concept is not null as is_lookalike,
        cast(possible_words.caption_id as string) || ':'
        || cast(possible_words.position as string) || ':' || possible_words.replacement
            as option_key
    from possible_words
    left join mentioned_concepts
        on
            possible_words.caption_id = mentioned_concepts.caption_id
            and possible_words.new_concept = mentioned_concepts.concept
    left join shown_words
        on
            possible_words.caption_id = shown_words.caption_id
            and possible_words.position = shown_words.position
            and possible_words.new_concept = shown_words.new_concept
    left join {{ ref('contradictions__odd_words') }} as odd_words
        on
            possible_words.caption_id = odd_words.caption_id
            and possible_words.position = odd_words.position
            and possible_words.new_concept = odd_words.new_concept
    left join lookalikes
        on
            possible_words.concept = lookalikes.concept
            and possible_words.new_concept = lookalikes.lookalike
    where
        mentioned_concepts.caption_id is null
        and shown_words.caption_id is null
        and odd_words.caption_id is null
),

-- new words that a picture can't tell from the old one come last; of two readings of a word, such
-- as the sport and the ball, the one whose form comes first in the alphabet counts
ordered_words as (
    select
        *,
        case when is_lookalike then '1' else '0' end
        || {{ seeded_order('contradiction', 'option_key') }} || form as option_order
    from plausible_words
),

placed_words as (
    select
        *,
        row_number() over (
            partition by caption_id, position, category order by option_order, new_concept
        ) as place
    from ordered_words
),

-- how often a word of a sub-category gives its place to others, and how often it is put there
word_uses as (
    select category, subcategory, term as word, 1 as n_replaced, 0 as n_put
    from placed_words
    where place = 1 and not is_lookalike
    union all
    select category, subcategory, replacement as word, 0 as n_replaced, 1 as n_put
    from placed_words
    where place = 1 and not is_lookalike
),

words_behind as (
    select
        category, subcategory, word as replacement, sum(n_replaced) - sum(n_put) as n_behind
    from word_uses
    group by category, subcategory, word
    having sum(n_replaced) > sum(n_put)
),

words_ahead as (
    select category, subcategory, word as replacement, sum(n_replaced) as n_replaced
    from word_uses
    group by category, subcategory, word
    having sum(n_put) > sum(n_replaced)
),

-- a word that is put in more often than it is replaced keeps as many places as it is replaced in,
-- the first by seed
surplus_words as (
    select ranked_words.*
    from (
        select
            *,
            row_number() over (
                partition by category, subcategory, replacement
                order by {{ seeded_order('contradiction_surplus', 'option_key') }}, option_key
            ) as place_of_word
        from placed_words
        where place = 1
    ) as ranked_words
    inner join words_ahead using (category, subcategory, replacement)
    where ranked_words.place_of_word > words_ahead.n_replaced
),

-- the others go to words that are behind, to those most that are it most
offered_words as (
    select
        placed_words.*, words_behind.n_behind,
        row_number() over (
            partition by placed_words.caption_id, placed_words.position, placed_words.category
            order by
                {{ seeded_int('contradiction_behind', 'placed_words.option_key', 1000000) }}
                * 1.0 / words_behind.n_behind,
                placed_words.option_order
        ) as place_of_offer
    from placed_words
    inner join surplus_words
        on
            placed_words.caption_id = surplus_words.caption_id
            and placed_words.position = surplus_words.position
            and placed_words.category = surplus_words.category
            and placed_words.form = surplus_words.form
    inner join words_behind
        on
            placed_words.category = words_behind.category
            and placed_words.subcategory = words_behind.subcategory
            and placed_words.replacement = words_behind.replacement
    where not placed_words.is_lookalike
),

taken_words as (
    select caption_id, position, category, option_key
    from (
        select
            *,
            row_number() over (
                partition by category, subcategory, replacement
                order by {{ seeded_order('contradiction_surplus', 'option_key') }}, option_key
            ) as place_of_word
        from offered_words
        where place_of_offer = 1
    ) as ranked_offers
    where place_of_word <= n_behind
),

first_words as (
    select
        placed_words.caption_id, placed_words.position, placed_words.category,
        {{ first_values_by(
            struct_pack(
                form='placed_words.form',
                new_concept='placed_words.new_concept',
                replacement='placed_words.replacement',
                is_lookalike='placed_words.is_lookalike'
            ),
            order_by=place_of_option,
            n=2
        ) }} as words
    from placed_words
    left join taken_words
        on
            placed_words.caption_id = taken_words.caption_id
            and placed_words.position = taken_words.position
            and placed_words.category = taken_words.category
            and placed_words.option_key = taken_words.option_key
    group by placed_words.caption_id, placed_words.position, placed_words.category
),

split_words as (
    select
        caption_id, position, category,
        {{ list_extract('words', 1) }} as first_word,
        {{ list_extract('words', 2) }} as second_word
    from first_words
)

-- the second word is what a question offers beside both
select
    caption_id, position, category,
    first_word.form as form,
    first_word.new_concept as new_concept,
    first_word.replacement as replacement,
    case
        when not second_word.is_lookalike and second_word.replacement <> first_word.replacement
            then second_word.replacement
    end as alternative,
    first_word.is_lookalike as is_lookalike
from split_words
