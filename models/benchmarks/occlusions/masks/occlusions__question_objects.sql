with

files as (

    select * from {{ ref('images__files') }}

),

bases as (

    select
        bases.base_id,
        bases.source_image_id,
        bases.question,
        files.width,
        files.height
    from {{ ref('conflict_suite__bases') }} as bases
    inner join files
        on bases.source_image_id = files.source_image_id

),

synonyms as (

    select
        phrase,
        category,
        {{ regexp_extract('phrase', '[a-z0-9]+') }} as first_token
    from {{ ref('object_synonyms') }}

),

words as (

    select
        base_id,
        {{ unnest_list(list_sort_distinct(tokens('question'))) }} as token,
        ' ' || {{ array_join(tokens('question'), "' '") }} || ' ' as sentence
    from bases

),

mentions as (

    select
        words.base_id,
        synonyms.phrase,
        synonyms.category
    from words
    inner join synonyms
        on words.token = synonyms.first_token
    where contains(words.sentence, ' ' || synonyms.phrase || ' ')

),

-- "hot dog" names no dog: a phrase within a longer one that is named says nothing
longest as (

    select * from mentions
    where not exists (
        select 1 from mentions as longer
        where
            longer.base_id = mentions.base_id
            and longer.phrase <> mentions.phrase
            and contains(' ' || longer.phrase || ' ', ' ' || mentions.phrase || ' ')
    )

),

named as (

    select
        base_id,
        category
    from longest
    group by base_id, category

),

objects as (

    select
        base_id,
        {{ array_join(array_agg('category', order_by='category'), "', '") }} as categories
    from named
    group by base_id

),

final as (

    select
        bases.base_id,
        bases.source_image_id,
        bases.question,
        objects.categories,
        bases.width,
        bases.height
    from bases
    left join objects
        on bases.base_id = objects.base_id

)

select * from final
