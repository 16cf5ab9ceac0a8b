-- a view, because it says one thing of each row of what it reads
{{ config(materialized='view') }}

with

sampled_questions as (

    select * from {{ ref('reality_check__translation_sample') }}

),

final as (

    select
        challenge_id,
        language,
        challenge_id || '::' || language as record_id,
        md5({{ canonical_row(['language', 'en_question', 'translated_question']) }})
            as record_md5
    from sampled_questions

)

select * from final
