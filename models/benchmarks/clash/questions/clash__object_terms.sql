with

terms as (

    select * from {{ ref('lexicon__terms') }}

),

final as (

    select term
    from terms
    group by term
    having count(case when change_type <> 'object' then 1 end) = 0

)

select * from final
