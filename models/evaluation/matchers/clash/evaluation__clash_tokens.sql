with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and task = 'open_ended'
        and reason is null

),

samples as (

    select * from {{ ref('evaluation__clash_samples') }}

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

final as (

    select
        text,
        {{ word_tokens('text') }} as tokens
    from texts
    where text is not null

)

select * from final
