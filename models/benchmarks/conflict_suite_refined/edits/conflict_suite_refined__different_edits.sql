with

words as (

    select * from {{ ref('conflict_suite_refined__words') }}
    where mix_state = 'different'

),

proposals as (

    select * from {{ ref('contradictions__proposals') }}

),

readings as (

    select * from {{ ref('contradictions__readings') }}
    where is_held and change_type = 'object'

),

terms as (

    select * from {{ ref('lexicon__terms') }}
    where change_type = 'object'

),

colors as (

    select * from {{ ref('colors') }}

),

number_words as (

    select * from {{ ref('number_words') }}

),

-- the first word of the caption that says the gold answer
gold_words as (

    select
        base_id,
        caption_id,
        answer_type,
        gold_answer,
        min(position) as position
    from words
    where answer_type in ('color', 'integer') and said = gold_answer
    group by base_id, caption_id, answer_type, gold_answer

),

-- other answers in the form that the caption has
other_answers as (

    select
        gold_words.base_id,
        gold_words.position,
        'color' as answer_type,
        colors.color as new_word,
        {{ seeded_order('different', "gold_words.base_id || ':' || colors.color") }} as option_order
    from gold_words
    inner join colors
        on gold_words.gold_answer <> colors.color
    where gold_words.answer_type = 'color'
    union all
    select
        gold_words.base_id,
        gold_words.position,
        'integer' as answer_type,
        case
            when {{ regexp_matches('words.word', '^[0-9]+$') }}
                then cast(number_words.value as {{ dbt.type_string() }})
            else number_words.word
        end as new_word,
        {{ seeded_order('different', "gold_words.base_id || ':' || number_words.word") }}
            as option_order
    from gold_words
    inner join words
        on
            gold_words.base_id = words.base_id
            and gold_words.position = words.position
    inner join number_words
        on
            gold_words.gold_answer <> cast(number_words.value as {{ dbt.type_string() }})
            and number_words.value between 2 and 10
    where gold_words.answer_type = 'integer'

),

-- what is said already would be two answers at once
said as (

    select distinct
        base_id,
        word_lower
    from words

),

drawn as (

    select
        other_answers.base_id,
        other_answers.position,
        {{ min_by('other_answers.new_word', order_by='other_answers.option_order') }} as new_word
    from other_answers
    left join said
        on
            other_answers.base_id = said.base_id
            and other_answers.new_word = said.word_lower
    where said.base_id is null
    group by other_answers.base_id, other_answers.position

),

-- article and agreement come from a proposal for the same word, where there is one
tokens_replaced as (

    select
        words.base_id,
        {{ array_join(array_agg(
            "words.separator || case when words.position = drawn.position then "
            ~ capitalized_like('drawn.new_word', 'words.word')
            ~ " else words.word end || words.tail",
            order_by='words.position'
        ), "''") }} as edited_caption,
        min(case when words.position = drawn.position then words.word end) as edited_from,
        min(drawn.new_word) as edited_to
    from words
    inner join drawn
        on words.base_id = drawn.base_id
    group by words.base_id

),

answers_edited as (

    select
        tokens_replaced.base_id,
        case when proposals.caption_id is null then 'replace_token' else 'proposal' end
            as edit_kind,
        coalesce(proposals.original, tokens_replaced.edited_from) as edited_from,
        coalesce(proposals.replacement, tokens_replaced.edited_to) as edited_to,
        coalesce(proposals.edited_caption, tokens_replaced.edited_caption) as edited_caption
    from tokens_replaced
    inner join gold_words
        on tokens_replaced.base_id = gold_words.base_id
    left join proposals
        on
            gold_words.caption_id = proposals.caption_id
            and gold_words.position = proposals.word_position
            and (
                (gold_words.answer_type = 'color' and proposals.category = 'colors')
                or (gold_words.answer_type = 'integer' and proposals.category = 'numbers')
            )

),

-- existence: a thing that the question asks for becomes another one
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
        said as subject_word,
        position
    from words
    where answer_type = 'boolean' and said is not null

),

subject_replacements as (

    select
        subject_words.base_id,
        {{ min_by('proposals.original', order_by='proposals.word_position') }} as edited_from,
        {{ min_by('proposals.replacement', order_by='proposals.word_position') }} as edited_to,
        {{ min_by('proposals.edited_caption', order_by='proposals.word_position') }}
            as edited_caption
    from subject_words
    inner join subjects
        on subject_words.base_id = subjects.base_id and subjects.gold_answer = 'yes'
    inner join proposals
        on
            subjects.caption_id = proposals.caption_id
            and proposals.change_type = 'object'
            and subject_words.position >= proposals.word_position
            and subject_words.position < proposals.end_position
    group by subject_words.base_id

),

-- what the question asks for, as a term of the lexicon; the longest one
asked_words as (

    select
        screened.base_id,
        {{ unnest_list('screened.evidence_words') }} as asked_word
    from {{ ref('conflict_suite__screened') }} as screened
    inner join subjects
        on screened.base_id = subjects.base_id
    where subjects.gold_answer = 'no'

),

asked_terms as (

    select
        asked_words.base_id,
        {{ min_by('terms.concept', order_by='terms.term') }} as concept,
        {{ min_by('terms.category', order_by='terms.term') }} as category,
        {{ min_by(
            "case when terms.form = 'plural' then terms.concept else terms.term end",
            order_by='terms.term'
        ) }} as singular_term
    from asked_words
    inner join terms
        on asked_words.asked_word = terms.term and terms.form = 'singular'
    group by asked_words.base_id

),

-- a thing of the same category gives its place to the one asked for
places as (

    select
        asked_terms.base_id,
        asked_terms.singular_term,
        {{ min_by(
            'readings.position',
            order_by=seeded_order(
                'different',
                "asked_terms.base_id || ':' || cast(readings.position as "
                ~ dbt.type_string() ~ ")"
            )
        ) }} as position
    from asked_terms
    inner join subjects
        on asked_terms.base_id = subjects.base_id
    inner join readings
        on
            subjects.caption_id = readings.caption_id
            and asked_terms.category = readings.category
            and asked_terms.concept <> readings.concept
            and readings.form = 'singular'
    group by asked_terms.base_id, asked_terms.singular_term

),

place_ends as (

    select
        places.base_id,
        places.singular_term,
        places.position,
        min(readings.end_position) as end_position
    from places
    inner join subjects
        on places.base_id = subjects.base_id
    inner join readings
        on
            subjects.caption_id = readings.caption_id
            and places.position = readings.position
    group by places.base_id, places.singular_term, places.position

),

things_brought as (

    select
        words.base_id,
        {{ array_join(array_agg(
            "case when words.position > place_ends.position"
            ~ " and words.position < place_ends.end_position then ''"
            ~ " else words.separator || case"
            ~ " when words.position = place_ends.position then "
            ~ capitalized_like('place_ends.singular_term', 'words.word')
            ~ " when words.position = place_ends.position - 1"
            ~ " and words.word_lower in ('a', 'an') then "
            ~ capitalized_like(indefinite_article('place_ends.singular_term'), 'words.word')
            ~ " else words.word end end || words.tail",
            order_by='words.position'
        ), "''") }} as edited_caption,
        {{ array_join(array_agg(
            "case when words.position >= place_ends.position"
            ~ " and words.position < place_ends.end_position then words.word end",
            order_by='words.position'
        ), "' '") }} as edited_from,
        min(place_ends.singular_term) as edited_to
    from words
    inner join place_ends
        on words.base_id = place_ends.base_id
    group by words.base_id

),

final as (

    select
        base_id,
        edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from answers_edited
    union all
    select
        base_id,
        'replace_subject' as edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from subject_replacements
    union all
    select
        base_id,
        'bring_subject' as edit_kind,
        edited_from,
        edited_to,
        edited_caption
    from things_brought

)

select * from final
