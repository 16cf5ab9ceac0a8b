with
matches as (select * from {{ ref('evaluation__matches') }}),

examples as (
    {{ union_of_ports('examples', [
        'example_id', 'shown_image_id', 'recipe_id', 'target',
    ]) | indent }}
),

prompts as (
    {{ union_of_ports('prompts', [
        'example_id', 'task', 'condition', 'question', 'context', 'choices',
    ]) | indent }}
),

answered_examples as (
    select distinct benchmark, task, condition, example_id, source_image_id
    from matches
    where prediction is not null
),

placed_examples as (
    {{ seeded_places(
        'answered_examples', 'answer_review', 'example_id',
        partition_by=['benchmark', 'task', 'condition']
    ) }}
),

drawn_examples as (
    select *, seeded_place as example_place
    from placed_examples
    where seeded_place < {{ threshold('shared', 'reviewed_answers') }}
),

-- several matchers read one answer, and several models may give the same one
answers as (
    select distinct drawn_examples.*, matches.prediction
    from drawn_examples
    inner join matches using (benchmark, task, condition, example_id)
    where matches.prediction is not null
),

-- whose turn an answer is among those to its example
answer_turns as (
    select
        *,
        row_number() over (
            partition by benchmark, task, condition, example_id
            order by
                {{ seeded_order('answer_review', "example_id || ':' || prediction") }},
                prediction
        ) as turn
    from answers
),

ranked_answers as (
    select
        *,
        row_number() over (
            partition by benchmark, task, condition
            order by turn, example_place
        ) as place
    from answer_turns
),

-- a sample that is shown under several conditions has an example for each
named_answers as (
    select ranked_answers.*, examples.shown_image_id, examples.recipe_id, examples.target
    from ranked_answers
    inner join examples
        on
            ranked_answers.benchmark = examples.benchmark
            and ranked_answers.example_id = examples.example_id
    union all
    select ranked_answers.*, examples.shown_image_id, examples.recipe_id, examples.target
    from ranked_answers
    inner join examples
        on
            ranked_answers.benchmark = examples.benchmark
            and ranked_answers.example_id || '::' || ranked_answers.condition = examples.example_id
),

-- what was asked, and what is right where it is to be answered at all
drawn_answers as (
    select
        named_answers.*,
        named_answers.benchmark || '::' || named_answers.task || '::' || named_answers.condition
        || '::' || named_answers.example_id || '::' || md5(named_answers.prediction) as answer_id,
        prompts.question, prompts.context, prompts.choices,
        coalesce(named_answers.target, 'that it cannot be answered') as right_answer,
        named_answers.shown_image_id || coalesce('::' || named_answers.recipe_id, '') as picture_id
    from named_answers
    inner join prompts using (benchmark, example_id, task, condition)
    where named_answers.place <= {{ threshold('shared', 'reviewed_answers') }}
)

select
    'answers' as queue,
    answer_id as record_id,
    md5({{ canonical_row([
        'picture_id', 'context', 'question',
        'choices', 'right_answer', 'prediction',
    ]) }}) as record_md5,
    source_image_id as image_id,
    cast(null as string) as split,
    cast(row_number() over (order by place, answer_id) as bigint) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ list_value("'picture'") }} as picture_roles,
    {{ list_value('picture_id') }} as picture_ids,
    {{ shown_texts(
        shown_text("'Text beside the picture'", 'context'),
        shown_text("'Question'", 'question'),
        shown_text("'Right answer'", 'right_answer'),
        shown_text("'Answer to judge'", 'prediction')
    ) }} as texts,
    coalesce(choices, '[]') as choices
from drawn_answers
