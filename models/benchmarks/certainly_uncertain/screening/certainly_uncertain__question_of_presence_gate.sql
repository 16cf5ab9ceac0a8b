-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

final as (

    select
        pair_id as candidate_id,
        presence_words as drop_detail,
        presence_words is null
        and coalesce(empty_answer_kind <> 'question_of_presence', true) as is_passed
    from candidates

)

select * from final
