with

terms as (

    select * from {{ ref('lexicon__terms') }}

),

clash_words as (

    select * from {{ ref('clash_words') }}

),

subgroups as (

    select * from {{ ref('clash_subgroups') }}

),

words as (

    select
        terms.term as word,
        terms.change_type,
        terms.category,
        terms.concept,
        subgroups.subgroup
    from terms
    inner join subgroups
        on
            terms.change_type = subgroups.change_type
            and terms.category = subgroups.category
            and terms.subcategory = subgroups.subcategory
    union all
    select
        word,
        change_type,
        category,
        word as concept,
        subgroup
    from clash_words

),

final as (

    select
        word,
        change_type,
        {{ list_sort_distinct(array_agg('category', order_by='category')) }} as categories,
        min(concept) as concept,
        min(subgroup) as subgroup
    from words
    group by word, change_type

)

select * from final
