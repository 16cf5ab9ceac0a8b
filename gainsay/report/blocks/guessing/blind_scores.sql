-- title: The blind reader on all examples, and on what a limit holds for
-- folded: yes
select
    benchmark,
    task,
    condition,
    guessed,
    view as guessed_from,
    reader,
    slice_name as slice,
    slice_value as of_slice,
    n as n_examples,
    n_groups,
    most_frequent_accuracy as most_frequent_share,
    blind_accuracy as guessed_right_share,
    margin as margin_share,
    margin_error as error_share,
    margin_limit as limit_share,
    is_limit_met,
    n_counted_groups as n_whole_groups,
    group_accuracy as groups_right_share,
    group_limit as group_limit_share,
    is_group_limit_met
from audit.audit__blind_scores
where slice_name = 'all' or margin_limit is not null
order by benchmark, task, condition, guessed, view, reader, slice_name, slice_value
