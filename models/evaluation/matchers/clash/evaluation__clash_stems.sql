with

texts as (

    select * from {{ ref('evaluation__clash_tokens') }}

),

token_rules as (

    select * from {{ ref('clash_token_rules') }}

),

articles as (

    select * from {{ ref('answer_articles') }}

),

tokens as (

    select distinct {{ unnest_list('tokens') }} as token
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
