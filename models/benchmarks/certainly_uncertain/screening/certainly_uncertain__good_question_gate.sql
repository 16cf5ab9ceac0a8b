with

llm_pairs as (

    select * from {{ ref('certainly_uncertain__llm_pairs') }}

),

final as (

    select
        pair_id as candidate_id,
        is_good_question
        and answerable_question is not null
        and answerable_answer is not null
        and unanswerable_question is not null as is_passed
    from llm_pairs
    where response_reason is null

)

select * from final
