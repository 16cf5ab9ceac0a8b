with
-- pairs that are held back count, too
examples_by_words as (
    select
        split, category, kind, source,
        operator as side,
        pair_id, source_image_id, is_verified,
        {{ list_length(regexp_extract_all('question', '[^ ]+')) }} as n_question_words,
        {{ list_length(regexp_extract_all('answer', '[^ ]+')) }} as n_answer_words
    from {{ ref('certainly_uncertain__examples') }}
)

select
    split,
    category,
    kind,
    source,
    side,
    count(*) as n_examples,
    count(distinct source_image_id) as n_pictures,
    count(case when is_verified then 1 end) as n_verified,
    cast(sum(n_question_words) as double) / count(*) as mean_question_words,
    cast(sum(n_answer_words) as double) / count(*) as mean_answer_words
from examples_by_words
group by split, category, kind, source, side
