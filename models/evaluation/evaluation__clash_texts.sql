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

stems as (

    select * from {{ ref('evaluation__clash_stems') }}

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

tokenized as (

    select
        text,
        {{ word_tokens('text') }} as tokens
    from texts
    where text is not null

),

placed as (

    select
        text,
        {{ each('tokens') }} as token,
        {{ each(series(1, list_size('tokens'))) }} as position
    from tokenized

),

stemmed as (

    select
        placed.text,
        {{ list_text(list_by('stems.stem', 'placed.position'), "' '") }} as stems
    from placed
    inner join stems
        on placed.token = stems.token
    group by placed.text

),

-- a text of nothing but articles and signs keeps its row, without stems
final as (

    select
        tokenized.text,
        ' ' || coalesce(stemmed.stems, '') || ' ' as spaced_stems
    from tokenized
    left join stemmed
        on tokenized.text = stemmed.text

)

select * from final
