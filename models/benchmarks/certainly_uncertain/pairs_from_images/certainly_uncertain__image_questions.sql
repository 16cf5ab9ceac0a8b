{%- set last_argument -%}
    ({{ list_extract('steps', list_length('steps')) }}).argument
{%- endset -%}
with
vqa_questions as (
    select * from {{ ref('stg_vqa__questions') }}
    where occurrence = 1
),

annotations as (
    select * from {{ ref('stg_vqa__annotations') }}
    where occurrence = 1
),

gqa_questions as (
    select * from {{ ref('stg_gqa__questions') }}
    where occurrence = 1
),

-- the one object that a question asks about, none where it asks about several or where the word may
-- mean something else
asked_objects as (
    select
        question,
        case
            when count(distinct case when is_asked then category end) = 1
                then min(case when is_asked and is_certain then category end)
        end as asked_category,
        {{ min_by('phrase', 'case when is_asked and is_certain then position end') }}
            as asked_phrase,
        count(distinct case when is_certain then category end) as n_named_categories,
        count(distinct case when is_asked then category end) as n_asked_categories
    from {{ ref('certainly_uncertain__object_mentions') }}
    group by question
),

last_steps as (
    select
        gqa_question_id, source_image_id, program,
        {{ list_extract('program', list_length('program')) }} as last_step
    from gqa_questions
),

-- an argument that points at an object ends in its id, in brackets
pointing_steps as (
    select
        gqa_question_id, source_image_id,
        {{ list_length('last_step.dependencies') }} as n_branches,
        {{ list_filter('program', 'step', regexp_matches('step.argument', '[(][0-9]+[)]$')) }}
            as steps
    from last_steps
),

pointed_objects as (
    select
        gqa_question_id, source_image_id, n_branches,
        {{ regexp_replace(last_argument, '^.*[(]|[)]$', '') }} as object_key
    from pointing_steps
),

graph_objects as (
    select source_image_id, {{ unnest_list('objects') }} as seen
    from {{ ref('stg_gqa__scene_graphs') }}
    where occurrence = 1
),

named_objects as (
    select source_image_id, seen.object_id as object_key, seen.name as object_name
    from graph_objects
),

-- a program whose last step joins two branches compares things; it is not clear which one's absence
-- would matter
gqa_objects as (
    select
        pointed_objects.gqa_question_id,
        case when pointed_objects.n_branches = 1 then named_objects.object_name end as object_name,
        greatest(
            coalesce(pointed_objects.n_branches, 0),
            case when pointed_objects.object_key is null then 0 else 1 end
        ) as n_asked_objects
    from pointed_objects
    left join named_objects using (source_image_id, object_key)
),

of_vqa as (
    select
        'vqa-' || cast(questions.question_id as string) as question_key,
        questions.source_image_id, questions.image_id, questions.question_id, questions.question,
        annotations.multiple_choice_answer as gold_answer,
        asked_objects.asked_category as object_name, asked_objects.asked_phrase as object_words,
        coalesce(asked_objects.n_named_categories, 0) as n_named_objects,
        coalesce(asked_objects.n_asked_categories, 0) as n_asked_objects,
        cast({{ list_length(list_filter(
            'annotations.answers', 'answered',
            'answered.answer = annotations.multiple_choice_answer'
        )) }} as bigint) as n_agreeing,
        cast(null as string) as model, cast(null as string) as prompt_sha256,
        cast(null as string) as response_reason, cast(null as boolean) as is_good_question,
        cast(null as string) as second_answer
    from vqa_questions as questions
    left join annotations using (question_id, image_id)
    left join asked_objects using (question)
),

-- one person's graph stands behind a question of GQA, so that no others could disagree
of_gqa as (
    select
        'gqa-' || questions.gqa_question_id as question_key,
        questions.source_image_id, cast(null as bigint) as image_id,
        cast(null as bigint) as question_id, questions.question,
        questions.answer as gold_answer, gqa_objects.object_name,
        gqa_objects.object_name as object_words, gqa_objects.n_asked_objects as n_named_objects,
        gqa_objects.n_asked_objects, cast(null as bigint) as n_agreeing,
        cast(null as string) as model, cast(null as string) as prompt_sha256,
        cast(null as string) as response_reason, cast(null as boolean) as is_good_question,
        cast(null as string) as second_answer
    from gqa_questions as questions
    left join gqa_objects using (gqa_question_id)
),

-- a language model writes about one object, and no annotators stand behind its answer
of_models as (
    select
        question_key, source_image_id, image_id, cast(null as bigint) as question_id, question,
        answer as gold_answer, object_name, object_words,
        case when object_words is null then 0 else 1 end as n_named_objects,
        case when object_words is null then 0 else 1 end as n_asked_objects,
        cast(null as bigint) as n_agreeing,
        model, prompt_sha256, response_reason, is_good_question, second_answer
    from {{ ref('certainly_uncertain__written_questions') }}
),

questions as (
    select * from of_vqa
    union all
    select * from of_gqa
    union all
    select * from of_models
)

select
    'cu-extraneous-' || source_image_id || '-' || substr(md5(question_key), 1, 8) as pair_id,
    question_key, source_image_id, image_id, question_id, question, gold_answer,
    lower(trim(gold_answer)) as plain_answer,
    object_name, object_words, n_named_objects, n_asked_objects, n_agreeing, model, prompt_sha256,
    response_reason, is_good_question, second_answer
from questions
