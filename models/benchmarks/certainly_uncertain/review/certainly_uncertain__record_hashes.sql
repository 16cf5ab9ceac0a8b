-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

pairs as (

    select * from {{ ref('certainly_uncertain__pair_candidates') }}

),

final as (

    select
        pair_id,
        md5({{ canonical_row([
            'source_image_id', 'category', 'answerable_question', 'answerable_answer',
            'unanswerable_question', 'unanswerable_answer', 'rle',
        ]) }}) as record_md5
    from pairs

)

select * from final
