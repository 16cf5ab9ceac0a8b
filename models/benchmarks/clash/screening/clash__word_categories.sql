with

words as (

    select
        term as word,
        change_type,
        category,
        concept
    from {{ ref('lexicon__terms') }}
    where change_type <> 'none'
    union all
    select
        word,
        change_type,
        category,
        word as concept
    from {{ ref('clash_words') }}

),

final as (

    select
        word,
        change_type,
        {{ list_sort_distinct(array_agg('category', order_by='category')) }} as categories,
        min(concept) as concept
    from words
    group by word, change_type

)

select * from final
