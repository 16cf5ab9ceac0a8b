-- title: The words that tell most, five of each view
-- folded: yes
-- words that tell as much in several tasks and views stand on one line
select
    benchmark,
    string_agg(distinct task, ', ' order by task) as tasks,
    condition,
    guessed,
    string_agg(distinct view, ', ' order by view) as guessed_from,
    part as told_in,
    words,
    label as speak_for,
    n_with_label as n_with_it,
    n_with_other_labels as n_else,
    log_odds,
    min(example_id) as such_as
from audit.audit__telltale_words
where place <= 5
group by
    benchmark, condition, guessed, part, words, label, n_with_label, n_with_other_labels, log_odds
order by
    benchmark, condition, guessed, guessed_from, min(place), part, words, label, n_with_it, n_else,
    log_odds
