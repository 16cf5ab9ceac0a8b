with

pairs as (

    select * from {{ ref('certainly_uncertain__caption_pairs') }}

),

final as (

    select
        pair_id as candidate_id,
        {{ tokens('answerable_question') }} <> {{ tokens('unanswerable_question') }} as is_passed
    from pairs

)

select * from final
