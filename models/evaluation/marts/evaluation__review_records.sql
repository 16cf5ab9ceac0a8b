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

-- examples of whose gold answer models say that it is wrong, each at the task and condition at
-- which they say it most strongly
suspected_examples as (
    select
        benchmark, task, condition, example_id,
        max(suspicion) as suspicion,
        row_number() over (
            partition by benchmark, example_id order by max(suspicion) desc, task asc, condition asc
        ) as turn
    from {{ ref('evaluation__candidate_answers') }}
    where suspicion > 0
    group by benchmark, task, condition, example_id
),

suspects as (
    select
        suspected_examples.*, answered_examples.source_image_id,
        row_number() over (
            order by suspected_examples.suspicion desc, benchmark asc, example_id asc
        ) as place
    from suspected_examples
    inner join answered_examples using (benchmark, task, condition, example_id)
    where suspected_examples.turn = 1
),

-- of a suspect no answer is shown: it is judged by the picture alone
asked_records as (
    select
        'answers' as queue, benchmark, task, condition, example_id, source_image_id, prediction,
        place,
        benchmark || '::' || task || '::' || condition || '::' || example_id || '::'
        || md5(prediction) as record_id
    from ranked_answers
    where place <= {{ threshold('shared', 'reviewed_answers') }}
    union all
    select
        'suspects' as queue, benchmark, task, condition, example_id, source_image_id,
        cast(null as string) as prediction, place,
        benchmark || '::' || example_id || '::' || task || '::' || condition as record_id
    from suspects
    where place <= {{ threshold('shared', 'reviewed_suspects') }}
),

-- a sample that is shown under several conditions has an example for each
named_records as (
    select asked_records.*, examples.shown_image_id, examples.recipe_id, examples.target
    from asked_records
    inner join examples
        on
            asked_records.benchmark = examples.benchmark
            and asked_records.example_id = examples.example_id
    union all
    select asked_records.*, examples.shown_image_id, examples.recipe_id, examples.target
    from asked_records
    inner join examples
        on
            asked_records.benchmark = examples.benchmark
            and asked_records.example_id || '::' || asked_records.condition = examples.example_id
),

-- what was asked, and what is right where it is to be answered at all
drawn_records as (
    select
        named_records.*,
        prompts.question, prompts.context, prompts.choices,
        coalesce(named_records.target, 'that it cannot be answered') as right_answer,
        named_records.shown_image_id || coalesce('::' || named_records.recipe_id, '') as picture_id
    from named_records
    inner join prompts using (benchmark, example_id, task, condition)
)

select
    queue,
    record_id,
    md5({{ canonical_row([
        'picture_id', 'context', 'question',
        'choices', 'right_answer', 'prediction',
    ]) }}) as record_md5,
    source_image_id as image_id,
    cast(null as string) as split,
    cast(row_number() over (
        partition by queue order by place, record_id
    ) as bigint) as draw,
    cast(null as {{ engine_type('varchar[]') }}) as asked_questions,
    {{ list_value("'picture'") }} as picture_roles,
    {{ list_value('picture_id') }} as picture_ids,
    {{ shown_texts(
        shown_text("'Text beside the picture'", 'context'),
        shown_text("'Question'", 'question'),
        shown_text("'Right answer'", "case when queue = 'answers' then right_answer end"),
        shown_text("'Gold answer'", "case when queue = 'suspects' then right_answer end"),
        shown_text("'Answer to judge'", 'prediction')
    ) }} as texts,
    coalesce(choices, '[]') as choices
from drawn_records
