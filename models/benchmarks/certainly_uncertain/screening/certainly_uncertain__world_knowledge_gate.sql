-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

final as (

    select
        pair_id as candidate_id,
        world_knowledge_words as drop_detail,
        world_knowledge_words is null
        and not (is_picture_known and n_named_objects > 0 and n_shown_objects = 0) as is_passed
    from candidates

)

select * from final
