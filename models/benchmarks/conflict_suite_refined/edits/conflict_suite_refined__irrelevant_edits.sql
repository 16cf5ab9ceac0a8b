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

-- one reading for each place; a held one before others
objects as (

    select
        readings.caption_id,
        readings.position,
        readings.end_position,
        {{ min_by(
            'generics.generic',
            order_by="case when readings.is_held then '0' else '1' end || readings.form"
        ) }} as generic
    from readings
    inner join generics
        on
            readings.category = generics.category
            and readings.form = generics.form
    group by readings.caption_id, readings.position, readings.end_position

),

-- what a word becomes: a colour "colored", a number "some", a thing its general name
generalised as (

    select
        words.*,
        case
            when words.said is null then null
            when words.answer_type = 'color' then 'colored'
            when words.answer_type = 'integer' then 'some'
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
    window of_caption as (partition by words.base_id order by words.position)

),

-- "red, white and blue" is colored once
joined as (

    select
        *,
        answer_type = 'color'
        and (
            (said is not null and said_before is not null)
            or (said is not null and previous_word = 'and' and said_before_last is not null)
            or (word_lower = 'and' and said_before is not null and said_next is not null)
        ) as is_absorbed,
        lead(general_word) over (partition by base_id order by position) as next_general_word
    from generalised

),

spelled as (

    select
        base_id,
        position,
        word,
        general_word,
        tail,
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
        end as text
    from joined

),

final as (

    select
        base_id,
        case when max(general_word) is not null then 'generalise' else 'none' end as edit_kind,
        {{ array_join(
            array_agg('case when general_word is not null then word end', order_by='position'), "' '"
        ) }} as edited_from,
        {{ array_join(
            array_agg("nullif(general_word, '')", order_by='position'), "' '"
        ) }} as edited_to,
        {{ array_join(array_agg('text || tail', order_by='position'), "''") }} as edited_caption
    from spelled
    group by base_id

)

select * from final
