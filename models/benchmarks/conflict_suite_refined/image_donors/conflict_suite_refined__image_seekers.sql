with

bases as (

    select * from {{ ref('conflict_suite__bases') }}

),

mix as (

    select * from {{ ref('conflict_suite_refined__mix') }}
    where mix_state <> 'different'

),

image_ring as (

    select * from {{ ref('conflict_suite_refined__image_ring') }}

),

categories as (

    select * from {{ ref('stg_coco__categories') }}

),

category_words as (

    select * from {{ ref('category_words') }}

),

seekers as (

    select
        bases.base_id,
        bases.question,
        bases.source_image_id
    from bases
    inner join mix
        on bases.base_id = mix.base_id

),

-- the words that name a category: its own, their plurals, and what the seed adds
names as (

    select distinct
        category_id,
        category as name
    from categories
    union
    select distinct
        category_id,
        category || 's' as name
    from categories
    union
    select distinct
        category_id,
        category || 'es' as name
    from categories
    union
    select distinct
        categories.category_id,
        category_words.word as name
    from categories
    inner join category_words
        on categories.category = category_words.category

),

first_words as (

    select
        category_id,
        name,
        {{ list_extract(tokens('name'), 1) }} as first_word
    from names

),

question_words as (

    select
        base_id,
        ' ' || {{ array_join(tokens('question'), "' '") }} || ' ' as question_text,
        {{ unnest_list(tokens('question')) }} as word
    from seekers

),

named as (

    select
        question_words.base_id,
        {{ list_sort_distinct(array_agg_unordered('first_words.category_id')) }} as categories
    from question_words
    inner join first_words
        on question_words.word = first_words.first_word
    where question_words.question_text like '% ' || first_words.name || ' %'
    group by question_words.base_id

),

final as (

    select
        seekers.base_id,
        seekers.source_image_id,
        image_ring.ring,
        image_ring.ring_position,
        image_ring.ring_size,
        coalesce(named.categories, {{ empty_list('bigint') }}) as categories
    from seekers
    inner join image_ring
        on seekers.source_image_id = image_ring.source_image_id
    left join named
        on seekers.base_id = named.base_id

)

select * from final
