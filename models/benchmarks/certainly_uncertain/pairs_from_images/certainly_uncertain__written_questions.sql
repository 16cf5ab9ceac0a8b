with
outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'extraneous_question'
),

categories as (select * from {{ ref('certainly_uncertain__picture_categories') }}),

object_words as (
    select category, phrase
    from {{ ref('object_words') }}
    where is_certain
    union
    -- a scene graph names its objects by their own words
    select object_name as category, object_name as phrase
    from categories
),

-- of several requests to a model the one that was answered counts, then the latest
ranked_responses as (
    select
        outcomes.custom_id, categories.source_image_id, categories.object_name, outcomes.model,
        outcomes.prompt_sha256,
        outcomes.reason as response_reason,
        trim({{ json_extract_string('outcomes.answer', '$.question') }}) as question,
        trim({{ json_extract_string('outcomes.answer', '$.answer') }}) as answer,
        trim({{ json_extract_string('outcomes.answer', '$.answer_without_object') }})
            as second_answer,
        row_number() over (
            partition by categories.source_image_id, categories.object_name, outcomes.model
            order by
                case when outcomes.reason is null then 0 else 1 end,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from outcomes
    inner join categories
        on
            outcomes.input_id
            = categories.source_image_id || '::' || categories.object_name
),

responses as (
    select *, ' ' || coalesce({{ plain_words('question') }}, '') || ' ' as question_words
    from ranked_responses
    where preference = 1
),

-- of the words for the object the first counts, of two at one place the longer
named_objects as (
    select
        responses.custom_id,
        {{ min_by(
            'object_words.phrase',
            "100 * position(' ' || object_words.phrase || ' ' in responses.question_words)"
            " - length(object_words.phrase)"
        ) }} as phrase
    from responses
    inner join object_words
        on
            responses.object_name = object_words.category
            and contains(responses.question_words, ' ' || object_words.phrase || ' ')
    group by responses.custom_id
),

judged_responses as (
    select
        *,
        case
            when response_reason is null
                then
                    trim(question_words) not in ('', 'na', 'n a')
                    and lower(answer) not in ('', 'na', 'n/a')
                    and lower(second_answer) not in ('', 'na', 'n/a')
        end as is_good_question
    from responses
)

select
    'written-' || judged_responses.custom_id as question_key,
    judged_responses.source_image_id, images.image_id, judged_responses.object_name,
    named_objects.phrase as object_words,
    judged_responses.model, judged_responses.prompt_sha256, judged_responses.response_reason,
    judged_responses.is_good_question,
    case when judged_responses.is_good_question then judged_responses.question end as question,
    case when judged_responses.is_good_question then judged_responses.answer end as answer,
    case when judged_responses.is_good_question then judged_responses.second_answer end
        as second_answer
from judged_responses
left join named_objects using (custom_id)
left join {{ ref('images__source_images') }} as images using (source_image_id)
