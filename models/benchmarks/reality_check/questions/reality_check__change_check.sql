with

texts as (

    select * from {{ ref('reality_check__template_texts') }}

),

final as (

    select
        candidate_id,
        language = 'en' or text <> text_en as is_passed
    from texts
    where text is not null

)

select * from final
