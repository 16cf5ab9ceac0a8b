-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

removals as (

    select * from {{ ref('certainly_uncertain__removals') }}

),

files as (

    select * from {{ ref('images__files') }}

),

final as (

    select
        removals.pair_id as candidate_id,
        files.source_image_id is not null as is_passed
    from removals
    left join files
        on removals.source_image_id = files.source_image_id

)

select * from final
