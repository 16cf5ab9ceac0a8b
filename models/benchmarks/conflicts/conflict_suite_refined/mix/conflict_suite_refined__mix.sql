with
groups as (
    select * from {{ ref('conflict_suite_refined__possible_groups') }}
    where (can_be_two_answers or can_be_open_question) and is_within_share
),

group_counts as (
    select
        family,
        count(*) as n_groups,
        count(case when can_be_open_question and not can_be_two_answers then 1 end) as n_open_only,
        count(case when can_be_open_question and can_be_two_answers then 1 end) as n_either
    from groups
    group by family
),

-- Of four records a group of two answers has two clean and two different ones, a group of an open
-- question one of each and two irrelevant ones: with two of these for each of those the thirds are
-- even.
quotas as (
    select
        family,
        least(
            n_either,
            greatest(0, {{ integer_division('(2 * n_groups + 1)', 3) }} - n_open_only)
        ) as n_open_of_either
    from group_counts
),

placed_groups as (
    {{ seeded_places(
        'groups', 'mix', 'base_id',
        partition_by=['family', 'can_be_two_answers', 'can_be_open_question']
    ) }}
)

select
    placed_groups.base_id, placed_groups.family,
    case
        when not placed_groups.can_be_open_question then 'two_answers'
        when not placed_groups.can_be_two_answers then 'open_question'
        when placed_groups.seeded_place < quotas.n_open_of_either then 'open_question'
        else 'two_answers'
    end as group_kind,
    placed_groups.other_source, placed_groups.other_answer, placed_groups.open_source,
    placed_groups.says_sentence_alone
from placed_groups
inner join quotas using (family)
