{%- set last_token %}
positions.position + {{ list_length('phrases.phrase_tokens') }} - 1
{%- endset -%}
with

questions as (

    select distinct question
    from {{ ref('stg_vqa__questions') }}

),

object_words as (

    select * from {{ ref('object_words') }}

),

phrases as (

    select
        phrase,
        category,
        is_certain,
        {{ tokens('phrase') }} as phrase_tokens
    from object_words

),

question_tokens as (

    select
        question,
        {{ tokens('question') }} as tokens
    from questions

),

positions as (

    select
        question,
        tokens,
        {{ unnest_list(integer_series(1, list_length('tokens'))) }} as position
    from question_tokens

),

all_mentions as (

    select
        positions.question,
        phrases.category,
        phrases.phrase,
        phrases.is_certain,
        positions.position,
        positions.position + {{ list_length('phrases.phrase_tokens') }} as end_position
    from positions
    inner join phrases
        on
            {{ list_extract('positions.tokens', 'positions.position') }}
            = {{ list_extract('phrases.phrase_tokens', 1) }}
    where
        {{ list_slice('positions.tokens', 'positions.position', last_token) }}
        = phrases.phrase_tokens

),

-- a phrase inside a longer one does not count: "hot dog" names no dog
mentions_within_longer as (

    select distinct
        all_mentions.question,
        all_mentions.position,
        all_mentions.end_position
    from all_mentions
    inner join all_mentions as longer
        on
            all_mentions.question = longer.question
            and longer.end_position - longer.position
            > all_mentions.end_position - all_mentions.position
    where
        all_mentions.position >= longer.position
        and all_mentions.end_position <= longer.end_position

),

final as (

    select
        all_mentions.question,
        all_mentions.category,
        all_mentions.phrase,
        all_mentions.position,
        all_mentions.end_position,
        all_mentions.is_certain
    from all_mentions
    left join mentions_within_longer as within_longer
        on
            all_mentions.question = within_longer.question
            and all_mentions.position = within_longer.position
            and all_mentions.end_position = within_longer.end_position
    where within_longer.question is null

)

select * from final
