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

gqa_objects as (

    select * from {{ ref('certainly_uncertain__gqa_objects') }}

),

asked_objects as (

    select * from {{ ref('certainly_uncertain__asked_objects') }}

),

written_questions as (

    select * from {{ ref('certainly_uncertain__written_questions') }}

),

of_vqa as (

    select
        'vqa-' || cast(questions.question_id as {{ dbt.type_string() }}) as question_key,
        questions.source_image_id,
        questions.image_id,
        questions.question_id,
        questions.question,
        annotations.multiple_choice_answer as gold_answer,
        asked_objects.asked_category as object_name,
        asked_objects.asked_phrase as object_words,
        coalesce(asked_objects.n_named_categories, 0) as n_named_objects,
        coalesce(asked_objects.n_asked_categories, 0) as n_asked_objects,
        cast({{ list_length(list_filter(
            'annotations.answers', 'answered',
            'answered.answer = annotations.multiple_choice_answer'
        )) }} as bigint) as n_agreeing,
        cast(null as {{ dbt.type_string() }}) as model,
        cast(null as {{ dbt.type_string() }}) as prompt_sha256,
        cast(null as {{ dbt.type_string() }}) as response_reason,
        cast(null as boolean) as is_good_question,
        cast(null as {{ dbt.type_string() }}) as second_answer
    from vqa_questions as questions
    left join annotations
        on
            questions.question_id = annotations.question_id
            and questions.image_id = annotations.image_id
    left join asked_objects
        on questions.question = asked_objects.question

),

-- one person's graph stands behind a question of GQA, so that no others could disagree
of_gqa as (

    select
        'gqa-' || questions.gqa_question_id as question_key,
        questions.source_image_id,
        cast(null as bigint) as image_id,
        cast(null as bigint) as question_id,
        questions.question,
        questions.answer as gold_answer,
        gqa_objects.object_name,
        gqa_objects.object_name as object_words,
        gqa_objects.n_asked_objects as n_named_objects,
        gqa_objects.n_asked_objects,
        cast(null as bigint) as n_agreeing,
        cast(null as {{ dbt.type_string() }}) as model,
        cast(null as {{ dbt.type_string() }}) as prompt_sha256,
        cast(null as {{ dbt.type_string() }}) as response_reason,
        cast(null as boolean) as is_good_question,
        cast(null as {{ dbt.type_string() }}) as second_answer
    from gqa_questions as questions
    left join gqa_objects
        on questions.gqa_question_id = gqa_objects.gqa_question_id

),

-- a language model writes about one object, and no annotators stand behind its answer
of_models as (

    select
        question_key,
        source_image_id,
        image_id,
        cast(null as bigint) as question_id,
        question,
        answer as gold_answer,
        object_name,
        object_words,
        case when object_words is null then 0 else 1 end as n_named_objects,
        case when object_words is null then 0 else 1 end as n_asked_objects,
        cast(null as bigint) as n_agreeing,
        model,
        prompt_sha256,
        response_reason,
        is_good_question,
        second_answer
    from written_questions

),

questions as (

    select * from of_vqa
    union all
    select * from of_gqa
    union all
    select * from of_models

),

final as (

    select
        'cu-extraneous-' || source_image_id || '-' || substr(md5(question_key), 1, 8) as pair_id,
        question_key,
        source_image_id,
        image_id,
        question_id,
        question,
        gold_answer,
        lower(trim(gold_answer)) as plain_answer,
        object_name,
        object_words,
        n_named_objects,
        n_asked_objects,
        n_agreeing,
        model,
        prompt_sha256,
        response_reason,
        is_good_question,
        second_answer
    from questions

)

select * from final
