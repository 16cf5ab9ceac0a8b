with

words as (

    select * from {{ ref('conflict_suite_refined__words') }}
    where mix_state = 'irrelevant'

),

readings as (

    select * from {{ ref('contradictions__readings') }}
    where change_type = 'object'

),

generics as (

    select * from {{ ref('lexicon_generics') }}

),

answer_words as (

    select * from {{ ref('conflict_suite_refined_answer_words') }}

),

-- the general names of what each place in a caption may mean; a reading that is certain comes
-- first
object_names as (

    select
        readings.caption_id,
        readings.position,
        readings.end_position,
        generics.generic,
        case when readings.is_held then '0' else '1' end || readings.form as reading_order
    from readings
    inner join generics
        on
            readings.category = generics.category
            and readings.form = generics.form

),

objects as (

    select
        caption_id,
        position,
        end_position,
        {{ min_by('generic', order_by='reading_order') }} as generic
    from object_names
    group by caption_id, position, end_position

),

-- what an answering word becomes; a thing gets its general name in place of its first word
general_words as (

    select
        words.*,
        case
            when words.said is null then null
            when answer_words.general_word is not null then answer_words.general_word
            when objects.position = words.position then objects.generic
            when objects.position < words.position then ''
        end as general_word,
        lag(words.said) over of_caption as said_before,
        lead(words.said) over of_caption as said_next,
        lag(words.said, 2) over of_caption as said_before_last,
        lag(words.word_lower) over of_caption as previous_word
    from words
    left join objects
        on
            words.caption_id = objects.caption_id
            and words.position >= objects.position
            and words.position < objects.end_position
            and words.answer_type = 'boolean'
    left join answer_words
        on words.answer_type = answer_words.answer_type
    window of_caption as (partition by words.base_id order by words.position)

),

-- "red, white and blue" becomes "colored" once, not three times
word_sequences as (

    select
        *,
        answer_type = 'color'
        and (
            (said is not null and said_before is not null)
            or (said is not null and previous_word = 'and' and said_before_last is not null)
            or (word_lower = 'and' and said_before is not null and said_next is not null)
        ) as is_absorbed,
        lead(general_word) over (partition by base_id order by position) as next_general_word
    from general_words

),

texts as (

    select
        base_id,
        position,
        case when general_word is not null then word end as old_word,
        general_word,
        nullif(general_word, '') as new_word,
        case
            when is_absorbed or general_word = '' then ''
            when general_word is not null
                then separator || {{ capitalized_like('general_word', 'word') }}
            when
                word_lower in ('a', 'an')
                and next_general_word <> ''
                then
                    separator
                    || {{ capitalized_like(indefinite_article('next_general_word'), 'word') }}
            else separator || word
        end
        || tail as text
    from word_sequences

),

final as (

    select
        base_id,
        case when max(general_word) is not null then 'generalise' else 'none' end as edit_kind,
        {{ array_join(array_agg('old_word', order_by='position'), "' '") }} as edited_from,
        {{ array_join(array_agg('new_word', order_by='position'), "' '") }} as edited_to,
        {{ array_join(array_agg('text', order_by='position'), "''") }} as edited_caption
    from texts
    group by base_id

)

select * from final
