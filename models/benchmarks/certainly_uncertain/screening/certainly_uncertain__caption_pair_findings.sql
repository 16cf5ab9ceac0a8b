with
pairs as (select * from {{ ref('certainly_uncertain__caption_pairs') }}),

outcomes as (
    select * from {{ ref('llm__outcomes') }}
    where task = 'uncertainty_check'
),

-- a verdict counts only if its request quotes the pair and the captions as they are now
ranked_requests as (
    select
        pairs.pair_id, outcomes.reason, outcomes.answer,
        row_number() over (
            partition by pairs.pair_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from outcomes
    inner join pairs on outcomes.input_id = pairs.pair_id
    inner join {{ ref('certainly_uncertain__image_captions') }} as captions using (source_image_id)
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where {{ is_quoted('outcomes.request_text', 'quotes.quote', {
        'captions': 'captions.captions',
        'answerable_question': 'pairs.answerable_question',
        'answerable_answer': 'pairs.answerable_answer',
        'unanswerable_question': 'pairs.unanswerable_question',
        'category': 'pairs.category',
    }) }}
),

verdicts as (
    select
        pair_id,
        reason as response_reason,
        {{ json_field('answer', "'is_answerable'") }} = 'true' as is_answerable,
        {{ json_field('answer', "'is_answer_right'") }} = 'true' as is_answer_right,
        {{ json_field('answer', "'is_open'") }} = 'true' as is_open,
        {{ json_field('answer', "'is_category_right'") }} = 'true' as is_category_right
    from ranked_requests
    where preference = 1
),

-- a pair without its questions needs no verdict, nor one of two pictures: its question is the same
missing_responses as (
    select
        pairs.pair_id,
        coalesce(
            pairs.response_reason, verdicts.response_reason, 'response_missing'
        ) as response_reason
    from pairs
    left join verdicts using (pair_id)
    where
        pairs.response_reason is not null
        or (
            {{ var('certainly_uncertain_needs_check') }}
            and pairs.answerable_question is not null
            and pairs.unanswerable_question is not null
            and pairs.source_image_id = pairs.open_image_id
            and (verdicts.pair_id is null or verdicts.response_reason is not null)
        )
),

questions as (
    select
        pair_id, category,
        ' ' || {{ array_join(tokens('unanswerable_question'), "' '") }} || ' ' as spaced_question
    from pairs
    where unanswerable_question is not null
),

found_words as (
    select questions.pair_id, min(forbidden_words.words) as words
    from questions
    inner join {{ vocabulary(
        'certainly_uncertain', 'forbidden_words', word='words', value='category'
    ) }}
        as forbidden_words
        on
            forbidden_words.category in ('any', questions.category)
            and contains(questions.spaced_question, ' ' || forbidden_words.words || ' ')
    group by questions.pair_id
)

select
    pairs.pair_id as candidate_id,
    -- the responses came that the pair needs: its own, and verdicts where they are asked for,
    missing_responses.response_reason <> 'response_missing' as passes_response,
    -- the language model refused none of them,
    missing_responses.response_reason <> 'response_refused' as passes_refusal,
    -- and each fits the schema of its task
    missing_responses.response_reason <> 'response_invalid' as passes_validity,
    -- the two questions differ in a word, or are asked of two pictures
    {{ tokens('pairs.answerable_question') }} <> {{ tokens('pairs.unanswerable_question') }}
    or pairs.source_image_id <> pairs.open_image_id as passes_sides,
    -- the unanswerable question keeps to what its category allows
    case when pairs.unanswerable_question is not null then found_words.pair_id is null end
        as passes_topic,
    found_words.words as topic_detail,
    -- a second language model confirms the pair: answerable and right on one side, open and of
    -- its category on the other
    case
        when verdicts.response_reason is null
            then
                verdicts.is_answerable
                and verdicts.is_answer_right
                and verdicts.is_open
                and verdicts.is_category_right
    end as passes_check,
    case
        when verdicts.response_reason is not null then null
        when not verdicts.is_answerable then 'is_answerable'
        when not verdicts.is_answer_right then 'is_answer_right'
        when not verdicts.is_open then 'is_open'
        when not verdicts.is_category_right then 'is_category_right'
    end as check_detail,
    coalesce(verdicts.is_answerable and verdicts.is_answer_right, false) as is_answer_confirmed
from pairs
left join missing_responses using (pair_id)
left join found_words using (pair_id)
left join verdicts using (pair_id)
