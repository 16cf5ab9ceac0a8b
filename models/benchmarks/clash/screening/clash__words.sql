with
texts as (select * from {{ ref('clash__texts') }}),
word_categories as (select * from {{ ref('clash__word_categories') }}),

-- the change types that the lexicons know each word for
word_types as (
    select word, {{ array_agg('change_type', order_by='change_type') }} as change_types
    from word_categories
    group by word
),

said_words as (
    select sample_id, 'original' as said_as, change_type, original_plain as word
    from texts
    union all
    select sample_id, 'conflicting' as said_as, change_type, conflicting_plain as word
    from texts
    union all
    select sample_id, 'image_only' as said_as, change_type, image_only_plain as word
    from texts
    union all
    select sample_id, 'text_only' as said_as, change_type, text_only_plain as word
    from texts
    union all
    select sample_id, 'distractor' as said_as, change_type, distractor_plain as word
    from texts
)

select
    said_words.sample_id, said_words.said_as, said_words.word, word_categories.concept,
    forbidden_words.reason as forbidden_reason,
    word_categories.categories, word_categories.subgroup, word_types.change_types
from said_words
left join word_categories using (word, change_type)
left join word_types using (word)
left join {{ vocabulary('clash', 'forbidden', value='reason') }} as forbidden_words using (word)
