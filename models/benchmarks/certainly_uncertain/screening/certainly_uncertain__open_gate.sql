with

pairs as (

    select * from {{ ref('certainly_uncertain__rule_pairs') }}

),

llm_pairs as (

    select * from {{ ref('certainly_uncertain__llm_pairs') }}

),

texts as (

    select * from {{ ref('certainly_uncertain__texts') }}

),

answer_words as (

    select
        topic,
        words,
        {{ regexp_extract('words', '^[^ ]+') }} as first_word
    from {{ ref('uncertainty_answer_words') }}

),

text_words as (

    select
        source_image_id,
        words,
        {{ unnest_list('words') }} as word
    from texts

),

-- a word of the topic in any text of the picture may answer the question
answered_topics as (

    select
        text_words.source_image_id,
        answer_words.topic,
        min(answer_words.words) as words
    from text_words
    inner join answer_words
        on text_words.word = answer_words.first_word
    where
        answer_words.words = answer_words.first_word
        or contains(
            ' ' || {{ array_join('text_words.words', "' '") }} || ' ',
            ' ' || answer_words.words || ' '
        )
    group by text_words.source_image_id, answer_words.topic

),

-- a language model's open question is none that a fact of the picture answers
answered_questions as (

    select distinct
        source_image_id,
        {{ array_join(tokens('answerable_question'), "' '") }} as question
    from pairs
    where category <> 'ambiguity'

),

final as (

    select
        pairs.pair_id as candidate_id,
        answered_topics.words as drop_detail,
        answered_topics.topic is null as is_passed
    from pairs
    left join answered_topics
        on
            pairs.source_image_id = answered_topics.source_image_id
            and pairs.topic = answered_topics.topic
    union all
    select
        llm_pairs.pair_id as candidate_id,
        answered_questions.question as drop_detail,
        answered_questions.question is null as is_passed
    from llm_pairs
    left join answered_questions
        on
            llm_pairs.source_image_id = answered_questions.source_image_id
            and {{ array_join(tokens('llm_pairs.unanswerable_question'), "' '") }}
            = answered_questions.question
    where llm_pairs.unanswerable_question is not null

)

select * from final
