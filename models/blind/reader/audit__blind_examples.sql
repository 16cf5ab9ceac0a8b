with
views as (
    select *, row_number() over (order by benchmark, task, condition, guessed, view) as view_number
    from {{ ref('blind_views') }}
),

split_roles as (
    select * from {{ ref('split_roles') }}
),

all_guesses as {{ computed_where_read() }} (
    {{ union_of_ports('guesses') }}
    union all
    select benchmark, {{ port_columns('guesses') | join(',\n        ') }}
    from {{ ref('question_sets__guesses') }}
),

-- what is held back is not delivered, and so not read
guesses as {{ computed_where_read() }} (
    select all_guesses.*, split_roles.role as split_role
    from all_guesses
    left join split_roles on all_guesses.split = split_roles.split
    where coalesce(split_roles.role, '') <> 'held_back'
),

labelled_groups as (
    select distinct benchmark, task, condition, guessed, group_id
    from guesses
    where label is not null
),

drawn_groups as (
    select
        *,
        {{ seeded_int('blind_fold', 'group_id', var('blind_folds')) }} as fold,
        row_number() over (
            partition by benchmark, task, condition, guessed
            order by {{ seeded_order('blind_reader', 'group_id') }}, group_id
        ) as draw
    from labelled_groups
),

-- what each view shows of an example
shown_examples as (
    select
        views.view_number, guesses.benchmark, guesses.task, guesses.condition, views.view,
        guesses.guessed, guesses.example_id, guesses.group_id, guesses.split, guesses.split_role,
        guesses.label,
        case when views.view in ('question', 'both') then guesses.question end as question,
        case when views.view in ('text', 'both') then guesses.context end as context,
        case when views.view in ('question', 'both') then guesses.choices end as choices,
        guesses.slices, drawn_groups.fold
    from guesses
    inner join drawn_groups
        on
            guesses.benchmark = drawn_groups.benchmark
            and guesses.task = drawn_groups.task
            and guesses.condition = drawn_groups.condition
            and guesses.guessed = drawn_groups.guessed
            and guesses.group_id = drawn_groups.group_id
    inner join views
        on
            guesses.benchmark = views.benchmark
            and guesses.task = views.task
            and guesses.condition = views.condition
            and guesses.guessed = views.guessed
    where
        guesses.label is not null
        and drawn_groups.draw <= {{ threshold('shared', 'blind_most_groups') }}
)

{% set text_digest -%}
    md5(
        cast(view_number as string)
        || '|' || coalesce(question, '') || '|' || coalesce(context, '')
        || '|' || coalesce(choices, '')
    )
{%- endset %}
{%- set text_digits %}substr({{ text_digest }}, 1, 15){% endset -%}
select
    benchmark, task, condition, view, guessed, example_id, group_id, split, split_role, label,
    question, context, choices, slices, view_number,
    {{ hex_to_bigint(text_digits) }} as text_key,
    fold
from shown_examples
where question is not null or context is not null
