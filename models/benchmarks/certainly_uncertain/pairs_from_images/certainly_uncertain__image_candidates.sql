with
rule_questions as (select * from {{ ref('certainly_uncertain__image_questions') }}),

-- none counts where rules choose the objects
object_choices as (
    select * from {{ ref('certainly_uncertain__object_choices') }}
    where {{ text_literal(var('certainly_uncertain_object_chooser')) }} = 'llm'
),

patterns as (
    select *, {{ list_extract(tokens('words'), 1) }} as first_token
    from {{ ref('uncertainty_question_patterns') }}
),

-- all things of a phrase that no category names are one object, as a network outlines them
categories as (
    select * from {{ ref('certainly_uncertain__picture_categories') }}
    union all
    select source_image_id, object_name, cast(1 as bigint) as n_objects, false as has_crowd
    from {{ ref('certainly_uncertain__named_outlines') }}
    where rle is not null
),

named_categories as (
    select * from {{ ref('lexicon__question_objects') }}
    where is_certain
),

question_wordings as (
    select distinct question
    from rule_questions
    where question is not null
),

question_tokens as (
    select question, {{ tokens('question') }} as tokens from question_wordings
),

-- a space at either end, so that `like '% word %'` finds whole words only
question_texts as (
    select
        question,
        ' ' || {{ array_join('tokens', "' '") }} || ' ' as text,
        {{ unnest_list(list_sort_distinct('tokens')) }} as token
    from question_tokens
),

matches as (
    select question_texts.question, patterns.words, patterns.reason, patterns.is_only_without_object
    from question_texts
    inner join patterns on question_texts.token = patterns.first_token
    where
        question_texts.text like case patterns.place
            when 'opening' then ' ' || patterns.words || ' %'
            when 'ending' then '% ' || patterns.words || ' '
            else '% ' || patterns.words || ' %'
        end
),

-- words of a question that speak against asking it of a picture without its object
findings as (
    select
        question,
        min(case when reason = 'question_of_presence' then words end) as presence_words,
        min(case when reason = 'question_of_number' then words end) as number_words,
        min(
            case when reason = 'whole_picture' and not is_only_without_object then words end
        ) as whole_picture_words,
        min(
            case when reason = 'whole_picture' and is_only_without_object then words end
        ) as picture_words,
        min(case when reason = 'world_knowledge' then words end) as world_knowledge_words
    from matches
    group by question
),

-- where a language model was asked, its object takes the place of the rules'
questions as (
    select
        rule_questions.pair_id, rule_questions.question_key, rule_questions.source_image_id,
        rule_questions.image_id, rule_questions.question_id, rule_questions.question,
        rule_questions.gold_answer, rule_questions.plain_answer,
        coalesce(object_choices.model, rule_questions.model, 'rules') as generator,
        coalesce(object_choices.prompt_sha256, rule_questions.prompt_sha256) as prompt_sha256,
        coalesce(object_choices.response_reason, rule_questions.response_reason)
            as response_reason,
        case
            when object_choices.pair_id is null then rule_questions.object_name
            else object_choices.object_name
        end as object_name,
        case
            when object_choices.pair_id is null then rule_questions.object_words
            else object_choices.object_words
        end as object_words,
        case
            when object_choices.pair_id is null then rule_questions.n_named_objects
            when object_choices.object_name is null then 0
            else 1
        end as n_named_objects,
        case
            when object_choices.pair_id is null then rule_questions.n_asked_objects
            when object_choices.object_name is null then 0
            else 1
        end as n_asked_objects,
        rule_questions.n_agreeing,
        object_choices.pair_id is not null as is_chosen_by_model,
        coalesce(object_choices.is_good_question, rule_questions.is_good_question)
            as is_good_question,
        rule_questions.model is not null as is_written_by_model,
        rule_questions.second_answer
    from rule_questions
    left join object_choices using (pair_id)
),

known_pictures as (
    select source_image_id, count(*) as n_categories
    from categories
    group by source_image_id
),

shown_objects as (
    select questions.pair_id, count(*) as n_shown_objects
    from questions
    inner join named_categories using (question)
    inner join categories
        on
            questions.source_image_id = categories.source_image_id
            and named_categories.category = categories.object_name
    group by questions.pair_id
)

select
    questions.pair_id, questions.question_key, questions.source_image_id, questions.image_id,
    questions.question_id, questions.question, questions.gold_answer, questions.plain_answer,
    questions.object_name, questions.object_words, questions.generator, questions.prompt_sha256,
    questions.response_reason, findings.presence_words, findings.number_words,
    case
        when questions.is_chosen_by_model then null
        else coalesce(
            findings.whole_picture_words,
            case when questions.n_named_objects = 0 then findings.picture_words end
        )
    end as whole_picture_words,
    case
        when not questions.is_chosen_by_model then findings.world_knowledge_words
    end as world_knowledge_words,
    -- "no helmet" is as right without the child as with it
    coalesce(
        empty_answers.kind, case when questions.plain_answer like 'no %' then 'stays_right' end
    ) as empty_answer_kind,
    questions.n_named_objects, questions.n_asked_objects, questions.n_agreeing,
    coalesce(categories.n_objects, 0) as n_objects,
    -- a scene graph's question points at an object of the picture
    case
        when questions.question_id is null or questions.is_chosen_by_model
            then questions.n_named_objects
        else coalesce(shown_objects.n_shown_objects, 0)
    end as n_shown_objects,
    coalesce(categories.has_crowd, false) as has_crowd,
    known_pictures.source_image_id is not null as is_picture_known,
    questions.is_good_question, questions.is_written_by_model, questions.second_answer
from questions
left join findings using (question)
left join categories using (source_image_id, object_name)
left join known_pictures using (source_image_id)
left join shown_objects using (pair_id)
left join {{ vocabulary('certainly_uncertain', 'empty_answers', word='answer', value='kind') }}
    as empty_answers
    on questions.plain_answer = empty_answers.answer
