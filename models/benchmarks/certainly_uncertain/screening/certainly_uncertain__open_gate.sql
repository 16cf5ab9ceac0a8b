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

    select * from {{ ref('uncertainty_answer_words') }}

),

spaced_texts as (

    select
        source_image_id,
        ' ' || {{ array_join('words', "' '") }} || ' ' as spaced_text
    from texts

),

-- a word of the topic in any text of the picture may answer the question
answered_topics as (

    select
        spaced_texts.source_image_id,
        answer_words.topic,
        min(answer_words.words) as words
    from spaced_texts
    inner join answer_words
        on contains(spaced_texts.spaced_text, ' ' || answer_words.words || ' ')
    group by spaced_texts.source_image_id, answer_words.topic

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
