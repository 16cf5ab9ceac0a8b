with
examples as (select * from {{ ref('conflict_suite__examples') }}),

-- a picture that answers a question in two ways answers it in none
pictures as (
    select
        split, family,
        {{ normalized_text('question') }} as asked_question,
        source_image_id,
        min(gold_answer) as gold_answer,
        min(base_id) as base_id
    from examples
    where operator = 'clean'
    group by split, family, asked_question, source_image_id
    having min(gold_answer) = max(gold_answer)
),

base_pairs as (
    {{ answer_pairs(
        'pictures', 'group_partner', 'base_id', ['split', 'family', 'asked_question'], 'gold_answer'
    ) }}
),

members as (
    select first_key as first_base_id, first_key as base_id, 'first' as role
    from base_pairs
    union all
    select first_key as first_base_id, second_key as base_id, 'second' as role
    from base_pairs
),

-- both are shown in the same variant; where nothing may be answered, both have the same right move
grouped_examples as (
    select
        members.first_base_id || '::' || examples.variant_id as group_id,
        examples.example_id, members.role,
        count(*) over (
            partition by members.first_base_id, examples.variant_id, examples.split
        ) as n_of_split
    from members
    inner join examples using (base_id)
    where examples.target is not null
)

select
    group_id,
    example_id,
    'default' as condition,
    role
from grouped_examples
where n_of_split = 2
