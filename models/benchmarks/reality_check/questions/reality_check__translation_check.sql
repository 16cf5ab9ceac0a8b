with

texts as (

    select * from {{ ref('reality_check__template_texts') }}

),

final as (

    select
        candidate_id,
        error as drop_detail,
        text is not null and trim(text) <> '' as is_passed
    from texts

)

select * from final
