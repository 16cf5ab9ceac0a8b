{%- set is_unbound -%}
    not {{ list_contains('bounds.words', 'token') }}
{%- endset -%}
with

candidates as (

    select * from {{ ref('certainly_uncertain__removable_objects') }}

),

object_words as (

    select * from {{ ref('object_words') }}

),

captions as (

    select * from {{ ref('images__captions') }}

),

categories as (

    select * from {{ ref('certainly_uncertain__picture_categories') }}

),

bounds as (

    select {{ array_agg('word', order_by='word') }} as words
    from {{ ref('uncertainty_phrase_bounds') }}

),

-- the words that carry an answer: "on the left" is left
answers as (

    select
        candidates.pair_id,
        candidates.source_image_id,
        candidates.object_name,
        candidates.plain_answer,
        candidates.empty_answer_kind,
        ' ' || {{ array_join(tokens('candidates.plain_answer'), "' '") }} || ' ' as answer_text,
        {{ list_filter(tokens('candidates.plain_answer'), 'token', is_unbound) }} as answer_words
    from candidates
    cross join bounds

),

phrases as (

    select
        category,
        ' ' || phrase || ' ' as phrase
    from object_words

),

-- a caption that names the object may have its answer from the object
captions_of_object as (

    select distinct
        answers.pair_id,
        captions.caption_id
    from answers
    inner join captions
        on answers.source_image_id = captions.source_image_id
    inner join phrases
        on answers.object_name = phrases.category
    where
        contains(' ' || {{ array_join('captions.tokens', "' '") }} || ' ', phrases.phrase)

),

answering_captions as (

    select
        answers.pair_id,
        min(captions.caption) as caption
    from answers
    inner join captions
        on answers.source_image_id = captions.source_image_id
    left join captions_of_object
        on
            answers.pair_id = captions_of_object.pair_id
            and captions.caption_id = captions_of_object.caption_id
    where
        captions_of_object.caption_id is null
        and {{ has_all_words('captions.tokens', 'answers.answer_words') }}
    group by answers.pair_id

),

answer_objects as (

    select
        answers.pair_id,
        answers.source_image_id,
        answers.object_name,
        phrases.category as named_object
    from answers
    inner join phrases
        on contains(answers.answer_text, phrases.phrase)
    union
    -- a scene graph names its objects by their own words
    select
        answers.pair_id,
        answers.source_image_id,
        answers.object_name,
        categories.object_name as named_object
    from answers
    inner join categories
        on
            answers.source_image_id = categories.source_image_id
            and answers.plain_answer = categories.object_name

),

objects_still_there as (

    select
        answer_objects.pair_id,
        min(
            case
                when answer_objects.named_object <> answer_objects.object_name
                    then categories.object_name
            end
        ) as named_object,
        bool_or(answer_objects.named_object = answer_objects.object_name) as is_answer_object
    from answer_objects
    inner join categories
        on
            answer_objects.source_image_id = categories.source_image_id
            and answer_objects.named_object = categories.object_name
    group by answer_objects.pair_id

),

final as (

    select
        answers.pair_id as candidate_id,
        case
            when answers.empty_answer_kind = 'stays_right' then answers.plain_answer
            when objects_still_there.named_object is not null
                then 'still there: ' || objects_still_there.named_object
            else answering_captions.caption
        end as drop_detail,
        coalesce(objects_still_there.is_answer_object, false) as is_answer_object,
        coalesce(answers.empty_answer_kind <> 'stays_right', true)
        and objects_still_there.named_object is null
        and answering_captions.pair_id is null as is_passed
    from answers
    left join objects_still_there
        on answers.pair_id = objects_still_there.pair_id
    left join answering_captions
        on answers.pair_id = answering_captions.pair_id

)

select * from final
