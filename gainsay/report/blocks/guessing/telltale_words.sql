-- title: The words that tell most, five of each view
select
    benchmark,
    condition,
    guessed,
    view as guessed_from,
    part as told_in,
    words,
    label as speak_for,
    n_with_label as n_with_it,
    n_with_other_labels as n_else,
    log_odds,
    example_id as such_as
from audit.audit__telltale_words
where place <= 5
order by benchmark, condition, guessed, view, place
