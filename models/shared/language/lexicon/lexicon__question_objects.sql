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

mentions as (

    select
        positions.question,
        phrases.category,
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
        mentions.question,
        mentions.position,
        mentions.end_position
    from mentions
    inner join mentions as longer
        on
            mentions.question = longer.question
            and longer.end_position - longer.position > mentions.end_position - mentions.position
    where
        mentions.position >= longer.position
        and mentions.end_position <= longer.end_position

),

final as (

    select
        mentions.question,
        mentions.category,
        bool_or(mentions.is_certain) as is_certain
    from mentions
    left join mentions_within_longer as within_longer
        on
            mentions.question = within_longer.question
            and mentions.position = within_longer.position
            and mentions.end_position = within_longer.end_position
    where within_longer.question is null
    group by mentions.question, mentions.category

)

select * from final
