with

llm_pairs as (

    select * from {{ ref('certainly_uncertain__llm_pairs') }}

),

question_words as (

    select
        pair_id,
        {{ list_sort_distinct(tokens('answerable_question')) }} as answerable_words,
        {{ list_sort_distinct(tokens('unanswerable_question')) }} as unanswerable_words
    from llm_pairs
    where answerable_question is not null and unanswerable_question is not null

),

shared_shares as (

    select
        pair_id,
        {{ jaccard(
            list_intersect_size('answerable_words', 'unanswerable_words'),
            list_length('answerable_words'),
            list_length('unanswerable_words')
        ) }} as shared_words
    from question_words

),

-- pairs made by rule share their thing
final as (

    select
        pair_id as candidate_id,
        shared_words,
        shared_words >= {{ var('certainly_uncertain_pair_overlap_min') }} as is_passed
    from shared_shares

)

select * from final
