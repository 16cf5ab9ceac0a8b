with
pairs as (select * from {{ ref('certainly_uncertain__people_pairs') }}),

answers as (
    select question_key, answer, n_people, sum(n_people) over (partition by question_key) as n_asked
    from {{ ref('certainly_uncertain__people_answers') }}
),

sides as (
    select pair_id || '::answerable' as example_id, answered_key as question_key
    from pairs
    where passes_partner
    union all
    select pair_id || '::unanswerable' as example_id, open_question_key as question_key
    from pairs
    where passes_partner
)

select
    examples.example_id,
    {{ plain_words('answers.answer') }} as answer,
    cast(sum(answers.n_people) as double) / max(answers.n_asked) as share
from sides
inner join {{ ref('certainly_uncertain__examples') }} as examples using (example_id)
inner join answers using (question_key)
group by examples.example_id, {{ plain_words('answers.answer') }}
