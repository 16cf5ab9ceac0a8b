with

texts as (

    select * from {{ ref('reality_check__template_texts') }}

),

final as (

    select
        candidate_id,
        length(text) as n_characters,
        length(text) >= {{ var('reality_check_least_question_length') }} as is_passed
    from texts
    where text is not null

)

select * from final
