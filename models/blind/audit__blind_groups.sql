with
groups as (
    {{ union_of_ports('groups', ['group_id', 'example_id', 'condition']) | indent }}
),

-- guesses name an example that is asked under several conditions with its condition
grouped_examples as (
    select
        benchmark,
        group_id as counted_group_id,
        example_id,
        case
            when
                min(condition) over (partition by benchmark, group_id)
                = max(condition) over (partition by benchmark, group_id)
                then example_id
            else example_id || '::' || condition
        end as guessed_id,
        count(*) over (partition by benchmark, group_id) as n_records
    from groups
),

grouped_guesses as (
    select
        guesses.*,
        grouped_examples.counted_group_id,
        grouped_examples.example_id as asked_id,
        grouped_examples.n_records,
        count(*) over guessed_group as n_guessed,
        sum(case when guesses.is_right then 1 else 0 end) over guessed_group as n_right,
        row_number() over (
            partition by
                guesses.benchmark, guesses.task, guesses.condition, guesses.view,
                guesses.guessed, guesses.reader, grouped_examples.counted_group_id
            order by guesses.example_id
        ) as place
    from {{ ref('audit__blind_guesses') }} as guesses
    inner join grouped_examples
        on
            guesses.benchmark = grouped_examples.benchmark
            and guesses.example_id = grouped_examples.guessed_id
    window guessed_group as (
        partition by
            guesses.benchmark, guesses.task, guesses.condition, guesses.view, guesses.guessed,
            guesses.reader, grouped_examples.counted_group_id
    )
)

-- groups of which every record is read
select
    benchmark, task, condition, view, guessed, reader,
    counted_group_id as group_id,
    asked_id as example_id,
    split,
    slices,
    place = 1 as is_first,
    n_right = n_records as is_right
from grouped_guesses
where n_guessed = n_records
