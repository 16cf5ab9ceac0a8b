with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and task = 'open_ended'
        and reason is null
),

-- without an answer there is nothing to compare them with, and to load the stemmer takes seconds
samples as (
    select * from {{ ref('evaluation__clash_samples') }}
    where exists (select 1 from predictions)
),

texts as (
    select prediction as text
    from predictions
    union
    select image_only_answer
    from predictions
    union
    select text_only_answer
    from predictions
    union
    select image_only_answer
    from samples
    union
    select text_only_answer
    from samples
),

-- words are runs of letters, digits and underscores, in lower case
text_tokens as (
    select text, {{ word_tokens('text') }} as tokens
    from texts
    where text is not null
),

placed_tokens as (
    select text, {{ unnest_list_with_position('tokens', 'token', 'position') }}
    from text_tokens
),

distinct_tokens as (
    select distinct token from placed_tokens
),

-- each word is stemmed once, however many answers use it. An article has no stem, which drops it
stems as (
    select
        distinct_tokens.token,
        gs_porter_stem(coalesce(token_rules.replacement, distinct_tokens.token)) as stem
    from distinct_tokens
    left join {{ vocabulary('clash', 'token_rules', word='token', value='replacement') }}
        as token_rules
        using (token)
    left join {{ vocabulary('evaluation', 'articles') }} as articles
        on distinct_tokens.token = articles.word
    where articles.word is null
),

stemmed_texts as (
    select
        placed_tokens.text,
        {{ array_join(array_agg('stems.stem', 'placed_tokens.position'), "' '") }} as stems
    from placed_tokens
    inner join stems using (token)
    group by placed_tokens.text
)

-- a text of nothing but articles and signs keeps its row, without stems
select text_tokens.text, ' ' || coalesce(stemmed_texts.stems, '') || ' ' as spaced_stems
from text_tokens
left join stemmed_texts using (text)
