with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and task = 'open_ended'
        and reason is null

),

samples as (

    select * from {{ ref('clash__samples') }}

),

token_rules as (

    select * from {{ ref('clash_token_rules') }}

),

articles as (

    select * from {{ ref('answer_articles') }}

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

tokens as (

    select distinct {{ each(word_tokens('text')) }} as token
    from texts

),

-- an article has no stem, which drops it
final as (

    select
        tokens.token,
        gs_porter_stem(coalesce(token_rules.replacement, tokens.token)) as stem
    from tokens
    left join token_rules
        on tokens.token = token_rules.token
    left join articles
        on tokens.token = articles.word
    where articles.word is null

)

select * from final
