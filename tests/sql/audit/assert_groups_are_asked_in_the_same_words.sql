with
prompts as (
    {{ union_of_ports(
        'prompts', ['example_id', 'task', 'condition', 'question', 'choices']
    ) | indent }}
),

groups as (
    {{ union_of_ports('groups', ['group_id', 'example_id', 'condition']) | indent }}
),

-- choices are the same whatever letters they stand under
asked_words as (
    select
        groups.benchmark,
        groups.group_id,
        prompts.task,
        {{ normalized_text('prompts.question') }} as question,
        {{ array_join(list_sort_distinct(list_value(
            json_extract_string('prompts.choices', '$[0].text'),
            json_extract_string('prompts.choices', '$[1].text'),
            json_extract_string('prompts.choices', '$[2].text'),
            json_extract_string('prompts.choices', '$[3].text')
        )), "' | '") }} as choices
    from groups
    left join prompts using (benchmark, example_id, condition)
)

-- a record that nothing asks, a group of one, or one that is asked in different words
select
    benchmark,
    group_id,
    task
from asked_words
group by benchmark, group_id, task
having
    task is null
    or count(*) = 1
    or min(question) <> max(question)
    or min(choices) <> max(choices)
