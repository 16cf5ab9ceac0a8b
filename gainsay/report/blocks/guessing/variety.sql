-- title: How varied each split is, and what a limit holds for
-- folded: yes
select
    benchmark,
    split,
    slice_value as slice,
    n_groups,
    n_questions,
    effective_questions as questions_in_effect,
    least_effective_questions as at_least,
    most_frequent_question,
    most_frequent_share,
    most_frequent_limit as most_frequent_limit_share,
    told_share as told_by_others_share,
    told_limit as told_limit_share,
    effective_answers as answers_in_effect,
    n_pictures,
    most_groups_of_picture as n_groups_of_one_picture,
    example_id as such_as,
    is_limit_met
from audit.audit__variety
where slice_name = 'all' or is_limit_met is not null
order by benchmark, split, slice_name, slice_value
