-- the answers of each question of a queue: the one that keeps a record first, digits last
select
    benchmark, queue, question, text, answer,
    cast(answer_key as varchar) as answer_key,
    answer_label,
    coalesce(is_note_wanted, false) as is_note_wanted
from vocabulary.review_questions
order by
    benchmark asc, queue asc, position asc, is_accepting desc, answer_key <= '9' asc, answer_key asc
