-- a view: nothing of it is needed before answers to these questions have landed
{{ config(materialized='view') }}

{%- set pope_file %}replace(source_file, 'pope/', ''){% endset %}
with
questions as (
    select * from {{ ref('stg_question_sets__questions') }}
    where occurrence = 1
),

annotations as (
    select * from {{ ref('stg_question_sets__annotations') }}
    where occurrence = 1
),

-- AMBER asks three things of a picture: whether something is there, whether it is as is said, and
-- whether two things have to do with each other
amber_kinds as (
    select question_type, dimension
    from
        {{ vocabulary('evaluation', 'amber_dimensions', word='question_type', value='dimension') }}
            as listed_kinds
),

amber_questions as (
    select
        questions.question_key, questions.source_image_id, questions.question,
        annotations.question_type, amber_kinds.dimension,
        {{ list_extract('annotations.answers', 1) }} as gold_answer,
        annotations.answers as human_answers
    from questions
    inner join annotations using (question_set, question_key)
    inner join amber_kinds using (question_type)
    where questions.question_set = 'amber'
),

vqa_questions as (
    select * from {{ ref('stg_vqa__questions') }}
    where occurrence = 1
),

vqa_annotations as (
    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1
),

annotated_vqa_questions as (
    select
        vqa_questions.*,
        vqa_annotations.question_type,
        vqa_annotations.source_answer_type as answer_type,
        vqa_annotations.multiple_choice_answer as gold_answer,
        {{ list_transform('vqa_annotations.answers', 'answered', 'answered.answer') }}
            as human_answers
    from vqa_questions
    inner join vqa_annotations using (question_id, image_id)
),

-- POPE's questions may come in the layout of VQA v2.0: answers to those that yes or no answers are
-- scored as answers to POPE, too, but nobody is asked them as POPE's
vqa_question_sets as (
    select 'vqa' as benchmark, true as is_asked
    union all
    select 'pope' as benchmark, false as is_asked
),

gqa_questions as (
    select * from {{ ref('stg_gqa__questions') }}
    where
        occurrence = 1
        and answer is not null
        and source_file = {{ text_literal(var('gqa_questions_asked')) }}
),

-- POPE names its pictures and its setting in the file's name
pope_questions as (
    select
        'pope' as benchmark,
        {{ regexp_extract(pope_file, '^[a-z]+') }} as pictures,
        replace(
            {{ regexp_extract('source_file', '[a-z]+[.]json$') }}, '.json', ''
        ) as setting,
        question_key, source_image_id, question,
        label as gold_answer,
        cast(null as string) as question_type, cast(null as string) as answer_type,
        answers as human_answers,
        image_id, file_position, cast(null as boolean) as is_answerable
    from questions
    where question_set = 'pope'
),

annotated_questions as (
    select
        questions.question_set as benchmark,
        questions.question_key, questions.source_image_id, questions.question,
        annotations.question_type, annotations.answer_type,
        annotations.answers as human_answers,
        questions.image_id
    from questions
    inner join annotations using (question_set, question_key, image_id)
),

-- of TDIUC only the questions that have nothing to do with their picture
absurd_questions as (
    select
        benchmark, question_key, source_image_id, question, human_answers, image_id,
        false as is_answerable
    from annotated_questions
    where benchmark = 'tdiuc' and question_type = 'absurd'
    union all
    select question_set, question_key, source_image_id, question, answers, image_id, is_answerable
    from questions
    where
        question_set in ('tdiuc', 'unk_vqa')
        and is_answerable is not null
        and category is distinct from 'ambiguous'
),

ranked_questions as (
    select
        *,
        row_number() over (
            partition by benchmark
            order by {{ seeded_order('question_set', 'question_key') }}, question_key
        ) as place
    from absurd_questions
)

select
    benchmark,
    'pope-' || pictures || '-' || setting || '-' || question_key as example_id,
    pictures || '-' || setting || '-' || question_key as example_key,
    question_key,
    setting as condition,
    pictures as source_split,
    source_image_id, question, gold_answer, question_type, answer_type, human_answers, image_id,
    file_position, is_answerable,
    true as is_asked
from pope_questions
union all
select
    benchmark,
    'okvqa-' || question_key,
    question_key as example_key,
    question_key,
    'default',
    cast(null as string),
    source_image_id,
    question,
    cast(null as string),
    question_type, answer_type, human_answers, image_id,
    cast(null as bigint),
    cast(null as boolean),
    true
from annotated_questions
where benchmark = 'okvqa'
union all
select
    question_set,
    'vizwiz-' || question_key,
    question_key as example_key,
    question_key,
    'default',
    cast(null as string),
    source_image_id,
    question,
    cast(null as string),
    cast(null as string),
    category, answers, image_id,
    cast(null as bigint),
    is_answerable,
    true
from questions
where question_set = 'vizwiz' and answers is distinct from {{ empty_list('string') }}
union all
select
    'gqa',
    'gqa-' || gqa_question_id,
    gqa_question_id as example_key,
    gqa_question_id,
    'default',
    cast(null as string),
    source_image_id, question, answer, structural_type, semantic_type,
    {{ list_value('answer') }},
    cast(null as bigint),
    cast(null as bigint),
    cast(null as boolean),
    true
from gqa_questions
union all
select
    benchmark,
    benchmark || '-' || question_key,
    question_key as example_key,
    question_key,
    'default',
    cast(null as string),
    source_image_id,
    question,
    cast(null as string),
    cast(null as string),
    cast(null as string),
    human_answers,
    image_id,
    cast(null as bigint),
    is_answerable,
    true
from ranked_questions
where place <= {{ threshold('shared', 'most_refusals') }}
union all
select
    'amber',
    'amber-' || question_key,
    question_key as example_key,
    question_key,
    'default',
    cast(null as string),
    source_image_id, question, gold_answer, question_type, dimension, human_answers,
    cast(null as bigint),
    cast(null as bigint),
    cast(null as boolean),
    true
from amber_questions
union all
select
    question_set,
    'mmhal-' || question_key,
    question_key as example_key,
    question_key,
    'default',
    cast(null as string),
    source_image_id,
    question,
    {{ list_extract('answers', 1) }},
    category,
    cast(null as string),
    answers,
    image_id,
    cast(null as bigint),
    cast(null as boolean),
    true
from questions
where question_set = 'mmhal'
union all
select
    vqa_question_sets.benchmark,
    'vqa-' || annotated_vqa_questions.question_id,
    cast(annotated_vqa_questions.question_id as string) as example_key,
    cast(annotated_vqa_questions.question_id as string),
    'default',
    annotated_vqa_questions.source_split, annotated_vqa_questions.source_image_id,
    annotated_vqa_questions.question, annotated_vqa_questions.gold_answer,
    annotated_vqa_questions.question_type, annotated_vqa_questions.answer_type,
    annotated_vqa_questions.human_answers, annotated_vqa_questions.image_id,
    cast(null as bigint),
    cast(null as boolean),
    vqa_question_sets.is_asked
from annotated_vqa_questions
inner join vqa_question_sets
    on
        vqa_question_sets.benchmark = 'vqa'
        or annotated_vqa_questions.gold_answer in ('yes', 'no')
