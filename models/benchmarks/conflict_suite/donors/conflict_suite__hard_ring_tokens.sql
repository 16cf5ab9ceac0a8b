with

bases as (

    select
        base_id,
        {{ unnest_list('noun_tokens') }} as token
    from {{ ref('conflict_suite__bases') }}

),

-- the most frequent token has rank 0
vocabulary as (

    select
        token,
        row_number() over (order by count(*) desc, token) - 1 as token_id
    from bases
    group by token

),

final as (

    select
        bases.base_id,
        vocabulary.token_id
    from bases
    inner join vocabulary
        on bases.token = vocabulary.token

)

select * from final
