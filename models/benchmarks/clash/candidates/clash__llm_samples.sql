with

outcomes as (

    select * from {{ ref('llm__outcomes') }}

),

generations as (

    select * from {{ ref('clash__llm_generations') }}
    where response_reason is null

),

quotes as (

    select * from {{ ref('llm_quotes') }}

),

word_categories as (

    select * from {{ ref('clash__word_categories') }}

),

-- of several answers for an image the latest
ranked as (

    select
        image_id,
        source_image_id,
        original_caption,
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

generated as (

    select
        {{ clash_sample_id('image_id', 'question') }} as sample_id,
        *
    from ranked
    where preference = 1

),

-- the answers are asked for in a second request, which quotes the sample as it is now
answered as (

    select
        generated.sample_id,
        outcomes.answer,
        outcomes.reason,
        row_number() over (
            partition by generated.sample_id
            order by
                case when outcomes.state = 'answered' then 1 else 2 end asc,
                outcomes.requested_at desc, outcomes.custom_id asc
        ) as preference
    from generated
    inner join outcomes
        on generated.sample_id = outcomes.input_id
    inner join quotes
        on outcomes.task = quotes.task
    where
        outcomes.task = 'clash_answers'
        and {{ is_quoted('outcomes.request_text', 'quotes.quote', {
            'original_caption': 'generated.original_caption',
            'conflicting_caption': 'generated.conflicting_caption',
            'question': 'generated.question',
        }) }}

),

worded as (

    select
        *,
        {{ plain_words('original_words') }} as original_plain,
        {{ plain_words('conflicting_words') }} as conflicting_plain
    from generated

),

final as (

    select
        worded.sample_id,
        worded.image_id,
        worded.source_image_id,
        worded.original_caption,
        worded.conflicting_caption,
        worded.question,
        worded.change_type,
        {{ json_extract_string('answered.answer', '$.image_only') }} as image_only_answer,
        {{ json_extract_string('answered.answer', '$.text_only') }} as text_only_answer,
        {{ json_extract_string('answered.answer', '$.irrelevant_but_plausible') }}
            as distractor_answer,
        worded.original_words,
        worded.conflicting_words,
        coalesce(
            original_known.categories, conflicting_known.categories, {{ list_value("'other'") }}
        ) as categories,
        case when answered.sample_id is null then 'response_missing' else answered.reason end
            as response_reason
    from worded
    left join answered
        on
            worded.sample_id = answered.sample_id
            and answered.preference = 1
    left join word_categories as original_known
        on
            worded.original_plain = original_known.word
            and worded.change_type = original_known.change_type
    left join word_categories as conflicting_known
        on
            worded.conflicting_plain = conflicting_known.word
            and worded.change_type = conflicting_known.change_type

)

select * from final
