with
text_labels as (
    select
        view_number, text_key, fold, label,
        count(*) as n,
        sum(case when split_role = 'training' then 1 else 0 end) as n_training
    from {{ ref('audit__blind_examples') }}
    group by view_number, text_key, fold, label
)

select
    words.view_number, words.feature_key, text_labels.fold, text_labels.label,
    cast(sum(text_labels.n) as bigint) as n,
    cast(sum(text_labels.n_training) as bigint) as n_training
from {{ ref('audit__blind_words') }} as words
inner join text_labels using (text_key)
group by words.view_number, words.feature_key, text_labels.fold, text_labels.label
