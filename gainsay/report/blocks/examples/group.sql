-- groups of examples, drawn by seed from every split, with their pictures and what is asked
with pictures as (
    select benchmark, example_id, list(picture_id order by place) as pictures
    from report.report__example_pictures
    group by benchmark, example_id
),

prompts as (
    select
        benchmark,
        example_id,
        list(
            { 'task': task, 'condition': condition, 'question': question, 'choices': choices }
            order by task, condition
        ) as prompts
    from report.report__prompts
    group by benchmark, example_id
)

select
    examples.example_id,
    examples.benchmark,
    examples.shown_split,
    examples.group_id,
    examples.source_image_id,
    examples.split,
    examples.family,
    examples.operator,
    examples.text_input,
    examples.question,
    examples.gold_answer,
    examples.target,
    examples.n_groups,
    examples.group_place,
    examples.n_members,
    pictures.pictures,
    prompts.prompts
from report.report__examples as examples
left join pictures
    on examples.benchmark = pictures.benchmark and examples.example_id = pictures.example_id
left join prompts
    on examples.benchmark = prompts.benchmark and examples.example_id = prompts.example_id
order by
    examples.benchmark, examples.shown_split, examples.group_place, examples.member_place
