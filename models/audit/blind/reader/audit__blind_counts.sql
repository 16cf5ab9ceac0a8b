with

examples as (

    select * from {{ ref('audit__blind_examples') }}

),

words as (

    select * from {{ ref('audit__blind_words') }}

),

text_labels as (

    select
        view_number,
        text_key,
        fold,
        label,
        count(*) as n,
        sum(case when split_role = 'training' then 1 else 0 end) as n_training
    from examples
    group by view_number, text_key, fold, label

),

final as (

    select
        words.view_number,
        words.feature_key,
        text_labels.fold,
        text_labels.label,
        cast(sum(text_labels.n) as bigint) as n,
        cast(sum(text_labels.n_training) as bigint) as n_training
    from words
    inner join text_labels
        on words.text_key = text_labels.text_key
    group by words.view_number, words.feature_key, text_labels.fold, text_labels.label

)

select * from final
