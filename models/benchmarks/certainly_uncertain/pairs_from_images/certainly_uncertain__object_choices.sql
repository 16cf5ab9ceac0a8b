with
outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'salient_object'
),

object_words as (
    select category, phrase
    from {{ ref('object_words') }}
    where is_certain
),

-- a request counts only if it quotes question and answer as they are now; of several the one that
-- was answered, then the latest
ranked_choices as (
    select
        questions.pair_id, outcomes.model, outcomes.prompt_sha256,
        outcomes.reason as response_reason,
        {{ plain_words(json_extract_string('outcomes.answer', '$.object')) }} as object_words,
        row_number() over (
            partition by questions.pair_id
            order by
                case when outcomes.reason is null then 0 else 1 end,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from outcomes
    inner join {{ ref('certainly_uncertain__image_questions') }} as questions
        on outcomes.input_id = questions.pair_id
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'question': 'questions.question',
        'gold_answer': 'questions.gold_answer',
    }) }}
),

choices as (
    select * from ranked_choices
    where preference = 1
),

-- of the objects that a phrase names, the first is what it is about: "dog with a ball" is a dog
named_objects as (
    select
        choices.pair_id,
        {{ min_by(
            'object_words.category',
            "100 * position(' ' || object_words.phrase || ' ' in ' ' || choices.object_words || ' ')"
            " - length(object_words.phrase)"
        ) }} as object_name,
        {{ min_by(
            'object_words.phrase',
            "100 * position(' ' || object_words.phrase || ' ' in ' ' || choices.object_words || ' ')"
            " - length(object_words.phrase)"
        ) }} as phrase
    from choices
    inner join object_words
        on contains(
            ' ' || choices.object_words || ' ', ' ' || object_words.phrase || ' '
        )
    group by choices.pair_id
),

-- what no category names is looked for by its own words, where a network can
sought_phrases as (
    select pair_id, object_words
    from choices
    where
        {{ text_literal(var('grounder')) }} <> ''
        and object_words not in ('', 'na', 'n a')
)

select
    choices.pair_id, choices.model, choices.prompt_sha256, choices.response_reason,
    coalesce(named_objects.object_name, sought_phrases.object_words) as object_name,
    coalesce(named_objects.phrase, sought_phrases.object_words) as object_words,
    named_objects.object_name is not null as is_category,
    case
        when choices.response_reason is null
            then coalesce(choices.object_words, '') not in ('', 'na', 'n a')
    end as is_good_question
from choices
left join named_objects
    on
        choices.pair_id = named_objects.pair_id
        and choices.object_words not in ('na', 'n a')
left join sought_phrases on choices.pair_id = sought_phrases.pair_id
