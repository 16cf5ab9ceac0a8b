with

terms as (

    select * from {{ ref('lexicon__terms') }}

),

clash_words as (

    select * from {{ ref('clash_words') }}

),

words as (

    select
        term as word,
        change_type,
        category,
        concept
    from terms
    where change_type <> 'none'
    union all
    select
        word,
        change_type,
        category,
        word as concept
    from clash_words

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
