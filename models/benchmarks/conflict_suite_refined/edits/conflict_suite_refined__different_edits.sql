with

words as (

    select * from {{ ref('conflict_suite_refined__words') }}
    where mix_state = 'different'

),

proposals as (

    select * from {{ ref('contradictions__proposals') }}

),

object_readings as (

    select * from {{ ref('contradictions__readings') }}
    where is_held and change_type = 'object'

),

object_terms as (

    select * from {{ ref('lexicon__terms') }}
    where change_type = 'object'

),

colors as (

    select
        canonical as color,
        position
    from {{ ref('answer_forms') }}
    where
        answer_type = 'color'
        and is_gold_form

),

number_words as (

    select
        surface as word,
        cast(canonical as integer) as value
    from {{ ref('answer_forms') }}
    where
        answer_type = 'integer'
        and is_gold_form
        and cast(canonical as integer)
        between {{ var('conflict_suite_refined_least_other_number') }}
        and {{ var('conflict_suite_refined_most_other_number') }}

),

answer_words as (

    select * from {{ ref('conflict_suite_refined_answer_words') }}

),

bases as (

    select * from {{ ref('conflict_suite__screened') }}
    where is_retained

),

-- the first word of the caption that says the gold answer
gold_positions as (

    select
        base_id,
        min(position) as position
    from words
    where answer_type <> 'boolean' and said = gold_answer
    group by base_id

),

gold_words as (

    select
        words.*,
        {{ regexp_matches('words.word', '^[0-9]+$') }} as is_in_digits
    from words
    inner join gold_positions
        on
            words.base_id = gold_positions.base_id
            and words.position = gold_positions.position

),

-- other answers in the form that the caption has
other_answers as (

    select
        gold_words.base_id,
        colors.color as answer_key,
        colors.color as new_word
    from gold_words
    inner join colors
        on gold_words.gold_answer <> colors.color
    where gold_words.answer_type = 'color'
    union all
    select
        gold_words.base_id,
        number_words.word as answer_key,
        case
            when gold_words.is_in_digits
                then cast(number_words.value as {{ dbt.type_string() }})
            else number_words.word
        end as new_word
    from gold_words
    inner join number_words
        on gold_words.gold_answer <> cast(number_words.value as {{ dbt.type_string() }})
    where gold_words.answer_type = 'integer'

),

spoken_words as (

    select distinct
        base_id,
        word_lower
    from words

),

-- an answer that the caption gives already is no choice: the edited caption would give it twice
ordered_answers as (

    select
        other_answers.base_id,
        other_answers.new_word,
        {{ seeded_order('different', "other_answers.base_id || ':' || other_answers.answer_key") }}
            as answer_order
    from other_answers
    left join spoken_words
        on
            other_answers.base_id = spoken_words.base_id
            and other_answers.new_word = spoken_words.word_lower
    where spoken_words.base_id is null

),

chosen_answers as (

    select
        ordered_answers.base_id,
        gold_positions.position,
        {{ min_by('ordered_answers.new_word', order_by='ordered_answers.answer_order') }}
            as new_word
    from ordered_answers
    inner join gold_positions
        on ordered_answers.base_id = gold_positions.base_id
    group by ordered_answers.base_id, gold_positions.position

),

answer_texts as (

    select
        words.base_id,
        words.position,
        chosen_answers.new_word,
        case when words.position = chosen_answers.position then words.word end as old_word,
        words.separator
        || case
            when words.position = chosen_answers.position
                then {{ capitalized_like('chosen_answers.new_word', 'words.word') }}
            else words.word
        end
        || words.tail as text
    from words
    inner join chosen_answers
        on words.base_id = chosen_answers.base_id

),

replaced_answers as (

    select
        base_id,
        {{ array_join(array_agg('text', order_by='position'), "''") }} as edited_caption,
        min(old_word) as edited_from,
        min(new_word) as edited_to
    from answer_texts
    group by base_id

),

-- article and agreement come from a proposal for the same word, where there is one
answer_edits as (

    select
        replaced_answers.base_id,
        case when proposals.caption_id is null then 'replace_token' else 'proposal' end
            as edit_kind,
        coalesce(proposals.original, replaced_answers.edited_from) as edited_from,
        coalesce(proposals.replacement, replaced_answers.edited_to) as edited_to,
        coalesce(proposals.edited_caption, replaced_answers.edited_caption) as edited_caption
    from replaced_answers
    inner join gold_words
        on replaced_answers.base_id = gold_words.base_id
    inner join answer_words
        on gold_words.answer_type = answer_words.answer_type
    left join proposals
        on
            gold_words.caption_id = proposals.caption_id
            and gold_words.position = proposals.word_position
            and answer_words.proposal_category = proposals.category

),

subjects as (

    select distinct
        base_id,
        caption_id,
        gold_answer
    from words
    where answer_type = 'boolean'

),

subject_words as (

    select
        base_id,
        caption_id,
        position
    from words
    where
        answer_type = 'boolean'
        and gold_answer = 'yes'
        and said is not null

),

-- existence, yes: a thing that the question asks for becomes another one
subject_edits as (

    select
        subject_words.base_id,
        'replace_subject' as edit_kind,
        {{ min_by('proposals.original', order_by='proposals.word_position') }} as edited_from,
        {{ min_by('proposals.replacement', order_by='proposals.word_position') }} as edited_to,
        {{ min_by('proposals.edited_caption', order_by='proposals.word_position') }}
            as edited_caption
    from subject_words
    inner join proposals
        on
            subject_words.caption_id = proposals.caption_id
            and proposals.change_type = 'object'
            and subject_words.position >= proposals.word_position
            and subject_words.position < proposals.end_position
    group by subject_words.base_id

),

-- existence, no: what the question asks for, as a term of the lexicon
asked_words as (

    select
        bases.base_id,
        {{ unnest_list('bases.evidence_words') }} as asked_word
    from bases
    inner join subjects
        on bases.base_id = subjects.base_id
    where subjects.gold_answer = 'no'

),

singular_terms as (

    select
        term,
        concept,
        category
    from object_terms
    where form = 'singular'

),

asked_terms as (

    select
        asked_words.base_id,
        {{ min_by('singular_terms.concept', order_by='singular_terms.term') }} as concept,
        {{ min_by('singular_terms.category', order_by='singular_terms.term') }} as category,
        min(singular_terms.term) as singular_term
    from asked_words
    inner join singular_terms
        on asked_words.asked_word = singular_terms.term
    group by asked_words.base_id

),

-- a thing of the same category is replaced by the one that the question asks for
places as (

    select
        asked_terms.base_id,
        asked_terms.singular_term,
        object_readings.position,
        asked_terms.base_id || ':' || cast(object_readings.position as {{ dbt.type_string() }})
            as place_key
    from asked_terms
    inner join subjects
        on asked_terms.base_id = subjects.base_id
    inner join object_readings
        on
            subjects.caption_id = object_readings.caption_id
            and asked_terms.category = object_readings.category
            and asked_terms.concept <> object_readings.concept
            and object_readings.form = 'singular'

),

chosen_places as (

    select
        base_id,
        singular_term,
        {{ min_by('position', order_by=seeded_order('different', 'place_key')) }} as position
    from places
    group by base_id, singular_term

),

-- of several readings at one place, the shortest is replaced
place_ends as (

    select
        chosen_places.base_id,
        chosen_places.singular_term,
        chosen_places.position,
        min(object_readings.end_position) as end_position
    from chosen_places
    inner join subjects
        on chosen_places.base_id = subjects.base_id
    inner join object_readings
        on
            subjects.caption_id = object_readings.caption_id
            and chosen_places.position = object_readings.position
    group by chosen_places.base_id, chosen_places.singular_term, chosen_places.position

),

-- the term takes the place of the first word, and an article before it agrees with the term
placed_words as (

    select
        words.base_id,
        words.position,
        words.separator,
        words.tail,
        place_ends.singular_term,
        words.position >= place_ends.position and words.position < place_ends.end_position
            as is_in_place,
        case
            when words.position = place_ends.position
                then {{ capitalized_like('place_ends.singular_term', 'words.word') }}
            when
                words.position = place_ends.position - 1
                and words.word_lower in ('a', 'an')
                then
                    {{ capitalized_like(
                        indefinite_article('place_ends.singular_term'), 'words.word'
                    ) }}
            when words.position < place_ends.position or words.position >= place_ends.end_position
                then words.word
        end as new_word,
        words.word
    from words
    inner join place_ends
        on words.base_id = place_ends.base_id

),

-- the other words of the place go, and so does what stands before them
placed_texts as (

    select
        base_id,
        position,
        singular_term,
        case when is_in_place then word end as old_word,
        coalesce(separator || new_word, '') || tail as text
    from placed_words

),

brought_subjects as (

    select
        base_id,
        'bring_subject' as edit_kind,
        {{ array_join(array_agg('old_word', order_by='position'), "' '") }} as edited_from,
        min(singular_term) as edited_to,
        {{ array_join(array_agg('text', order_by='position'), "''") }} as edited_caption
    from placed_texts
    group by base_id

),

final as (

    select * from answer_edits
    union all
    select * from subject_edits
    union all
    select * from brought_subjects

)

select * from final
