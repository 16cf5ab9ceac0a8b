with
candidates as (select * from {{ ref('certainly_uncertain__image_candidates') }}),

second_answers as (
    select distinct second_answer as text from candidates
    where second_answer is not null
),

unknowns as (
    {{ not_knowing('second_answers') | indent }}
)

select
    candidates.pair_id as candidate_id,
    -- the response came that chooses the question's object,
    candidates.response_reason <> 'response_missing' as passes_object_response,
    -- the language model did not refuse to choose it,
    candidates.response_reason <> 'response_refused' as passes_object_refusal,
    -- and the response fits the schema of its task
    candidates.response_reason <> 'response_invalid' as passes_object_validity,
    -- the question asks for more than yes or no: "no" stays right without the object
    candidates.presence_words is null
    and coalesce(candidates.empty_answer_kind <> 'question_of_presence', true)
        as passes_question_of_presence,
    candidates.presence_words as question_of_presence_detail,
    -- the question asks for no number: zero stays right without the object
    candidates.number_words is null as passes_question_of_number,
    candidates.number_words as question_of_number_detail,
    -- the language model found an object that the question asks about
    candidates.is_good_question as passes_object_choice,
    -- the language model that wrote the question does not know its answer without the object;
    -- to ask back or to guess is not enough
    case
        when candidates.second_answer is not null
            then coalesce(unknowns.idk_form not in ('asked_back', 'guess'), false)
    end as passes_second_answer,
    candidates.second_answer as second_answer_detail,
    -- the question asks about an object, and not about the whole picture or what surrounds the
    -- object: that stays visible without it
    candidates.whole_picture_words is null as passes_whole_picture,
    candidates.whole_picture_words as whole_picture_detail,
    -- the question needs the picture. It does not by its words, or where the picture is known
    -- to show none of the objects that the question names: then it asks about them in general
    candidates.world_knowledge_words is null
    and not (
        candidates.is_picture_known
        and candidates.n_named_objects > 0
        and candidates.n_shown_objects = 0
    ) as passes_world_knowledge,
    candidates.world_knowledge_words as world_knowledge_detail,
    -- the question names an object that the picture is known to show
    candidates.n_named_objects > 0
    and candidates.is_picture_known
    and (candidates.object_name is null or candidates.n_objects > 0)
        as passes_no_question_object,
    case
        when candidates.n_named_objects = 0 then 'the question names no object'
        when not candidates.is_picture_known then 'what the picture shows is not landed'
        when candidates.object_name is not null and candidates.n_objects = 0
            then 'no ' || candidates.object_name
    end as no_question_object_detail,
    -- of several objects that the question names, it asks about one alone
    candidates.n_asked_objects <= 1 as passes_several_categories,
    -- the question asks about the object that it names, and not about something beside it:
    -- what is behind the dog is still visible without the dog
    candidates.object_name is not null as passes_object_not_asked,
    -- all objects of the asked kind are outlined one by one: in a crowd some are not
    not candidates.has_crowd as passes_object_is_crowd,
    -- the annotators knew an answer
    coalesce(candidates.empty_answer_kind <> 'open', true) as passes_open_answer,
    candidates.plain_answer as open_answer_detail,
    -- enough of the ten annotators gave it
    candidates.gold_answer is not null
    and coalesce(
        candidates.n_agreeing
        >= {{ threshold('certainly_uncertain', 'least_agreeing_annotators') }}, true
    ) as passes_annotators_disagree
from candidates
left join unknowns on candidates.second_answer = unknowns.text
