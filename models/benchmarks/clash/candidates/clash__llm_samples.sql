{%- set picture = 'coalesce(cast(image_id as string), source_image_id)' -%}
with
generations as (
    select * from {{ ref('clash__llm_generations') }}
    where response_reason is null
),

word_categories as (select * from {{ ref('clash__word_categories') }}),

-- of several generations for an image, the latest is preferred
ranked_generations as (
    select
        image_id, source_image_id, original_caption,
        trim({{ json_extract_string('answer', '$.conflicting_caption') }}) as conflicting_caption,
        trim({{ json_extract_string('answer', '$.question') }}) as question,
        {{ json_extract_string('answer', '$.change_type') }} as change_type,
        trim({{ json_extract_string('answer', '$.original_words') }}) as original_words,
        trim({{ json_extract_string('answer', '$.conflicting_words') }}) as conflicting_words,
        row_number() over (
            partition by source_image_id
            order by requested_at desc, custom_id asc
        ) as preference
    from generations
),

latest_generations as (
    select {{ clash_sample_id(picture, 'question') }} as sample_id, *
    from ranked_generations
    where preference = 1
),

-- the program asks for the three answers in a second request; a request counts only if it quotes
-- the sample as it is now
ranked_answers as (
    select
        latest_generations.sample_id, outcomes.answer, outcomes.reason,
        row_number() over (
            partition by latest_generations.sample_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from latest_generations
    inner join {{ ref('llm__outcomes') }} as outcomes
        on latest_generations.sample_id = outcomes.input_id
    inner join {{ ref('llm_quotes') }} as quotes using (task)
    where
        outcomes.task = 'clash_answers'
        and {{ is_quoted('outcomes.request_text', 'quotes.quote', {
            'original_caption': 'latest_generations.original_caption',
            'conflicting_caption': 'latest_generations.conflicting_caption',
            'question': 'latest_generations.question',
        }) }}
),

plain_samples as (
    select
        *,
        {{ plain_words('original_words') }} as original_plain,
        {{ plain_words('conflicting_words') }} as conflicting_plain
    from latest_generations
)

select
    plain_samples.sample_id, plain_samples.image_id, plain_samples.source_image_id,
    plain_samples.original_caption, plain_samples.conflicting_caption, plain_samples.question,
    plain_samples.change_type,
    {{ json_extract_string('ranked_answers.answer', '$.image_only') }} as image_only_answer,
    {{ json_extract_string('ranked_answers.answer', '$.text_only') }} as text_only_answer,
    {{ json_extract_string('ranked_answers.answer', '$.irrelevant_but_plausible') }}
        as distractor_answer,
    plain_samples.original_words, plain_samples.conflicting_words,
    coalesce(
        original_word_categories.categories,
        conflicting_word_categories.categories,
        {{ list_value("'other'") }}
    ) as categories,
    case
        when ranked_answers.sample_id is null then 'response_missing'
        else ranked_answers.reason
    end as response_reason
from plain_samples
left join ranked_answers
    on
        plain_samples.sample_id = ranked_answers.sample_id
        and ranked_answers.preference = 1
left join word_categories as original_word_categories
    on
        plain_samples.original_plain = original_word_categories.word
        and plain_samples.change_type = original_word_categories.change_type
left join word_categories as conflicting_word_categories
    on
        plain_samples.conflicting_plain = conflicting_word_categories.word
        and plain_samples.change_type = conflicting_word_categories.change_type
