with
examples as (
    {{ union_of_ports('examples') }}
),

shown_pictures as (
    select
        examples.benchmark, examples.split, examples.group_id,
        case
            when photographs.picture_state is null or photographs.picture_state <> 'shown' then 1
            when examples.recipe_id is not null and not photographs.allows_derivatives then 1
            else 0
        end as is_left_out
    from examples
    left join {{ ref('report__photographs') }} as photographs
        on examples.shown_image_id = photographs.source_image_id
),

-- a benchmark without splits has one group of groups
groups as (
    select
        benchmark,
        coalesce(split, 'none') as shown_split,
        group_id,
        min(is_left_out) as all_left_out,
        max(is_left_out) as some_left_out
    from shown_pictures
    group by benchmark, coalesce(split, 'none'), group_id
),

ranked_groups as (
    select
        benchmark, shown_split, group_id,
        count(*) over (partition by benchmark, shown_split) as n_groups,
        row_number() over (
            partition by benchmark, shown_split
            order by
                all_left_out, some_left_out, {{ seeded_order('report', 'group_id') }}, group_id
        ) as group_place
    from groups
),

chosen_groups as (
    select * from ranked_groups
    where group_place <= {{ threshold('shared', 'groups_per_split') }}
),

-- the picture and text as they were come first, then what was made of them
members as (
    select
        chosen_groups.benchmark, chosen_groups.shown_split, chosen_groups.group_id,
        examples.example_id, examples.source_image_id, examples.shown_image_id, examples.recipe_id,
        examples.split, examples.family, examples.operator, examples.text_input, examples.question,
        examples.gold_answer, examples.target, chosen_groups.n_groups, chosen_groups.group_place,
        count(*) over (
            partition by
                chosen_groups.benchmark, chosen_groups.shown_split, chosen_groups.group_id
        ) as n_members,
        row_number() over (
            partition by
                chosen_groups.benchmark, chosen_groups.shown_split, chosen_groups.group_id
            order by
                case when examples.recipe_id is null then 0 else 1 end,
                case
                    when examples.shown_image_id = examples.source_image_id then 0 else 1
                end,
                examples.example_id
        ) as member_place
    from chosen_groups
    inner join examples using (benchmark, group_id)
)

select
    benchmark, shown_split, group_id, example_id, source_image_id, shown_image_id, recipe_id, split,
    family, operator, text_input, question, gold_answer, target,
    cast(n_groups as bigint) as n_groups,
    cast(group_place as bigint) as group_place,
    cast(n_members as bigint) as n_members,
    cast(member_place as bigint) as member_place
from members
where member_place <= {{ threshold('shared', 'examples_per_group') }}
