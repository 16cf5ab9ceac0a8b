-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

candidates as (

    select * from {{ ref('certainly_uncertain__image_candidates') }}

),

final as (

    select
        pair_id as candidate_id,
        case
            when n_named_objects = 0 then 'the question names no object'
            when not is_picture_known then 'what the picture shows is not landed'
            when object_name is not null and n_objects = 0 then 'no ' || object_name
        end as drop_detail,
        n_named_objects > 0
        and is_picture_known
        and (object_name is null or n_objects > 0) as is_passed
    from candidates

)

select * from final
