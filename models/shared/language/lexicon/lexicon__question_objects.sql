with

mentions as (

    select * from {{ ref('lexicon__object_mentions') }}

),

final as (

    select
        question,
        category,
        bool_or(is_certain) as is_certain
    from mentions
    group by question, category

)

select * from final
