with
predictions as (
    select * from {{ ref('stg_gainsay__predictions') }}
    {%- if var('evaluation_reference_answers') %}
        union all
        select * from {{ ref('evaluation__reference_answers') }}
    {%- endif %}
),

-- a published CLASH record holds its sample, and is scored without the test set, too
delivered_examples as (
    select
        source_file, file_position,
        {{ clash_sample_id('example_key', 'question') }} as example_id,
        {{ try_cast_bigint('example_key') }} as image_id
    from predictions
    where benchmark = 'clash' and image_only_answer is not null
),

answered_keys as (
    select distinct
        benchmark, condition, example_key,
        {{ plain_key('example_key') }} as plain_key
    from predictions
),

named_examples as (
    select distinct
        answered_keys.benchmark, answered_keys.condition, answered_keys.example_key,
        names.example_id, names.image_id, names.source_image_id, names.question,
        names.condition <> 'any' as is_of_condition,
        names.condition in ('any', {{ whole_condition('answered_keys.condition') }}) as is_asked
    from answered_keys
    inner join {{ ref('evaluation__example_names') }} as names
        on
            answered_keys.benchmark = names.benchmark
            and answered_keys.plain_key = names.name
),

-- the name of an example under the condition goes before one that it has under any
ranked_examples as (
    select
        *,
        rank() over (
            partition by benchmark, condition, example_key
            order by case when is_of_condition then 0 else 1 end
        ) as place
    from named_examples
    where is_asked
),

counted_examples as (
    select *, count(*) over (partition by benchmark, condition, example_key) as n_with_key
    from ranked_examples
    where place = 1
),

-- a question that an answer quotes must be the example's own where the key tells no more than
-- the picture, or where the answer brings its example along
resolved_answers as (
    select
        predictions.*,
        coalesce(counted_examples.example_id, answered_lines.example_id) as known_example_id,
        coalesce(counted_examples.image_id, answered_lines.image_id) as known_image_id,
        coalesce(
            counted_examples.source_image_id, answered_lines.source_image_id
        ) as known_source_image_id,
        answered_lines.reason as line_reason,
        delivered_examples.example_id as delivered_example_id,
        delivered_examples.image_id as delivered_image_id
    from predictions
    left join delivered_examples using (source_file, file_position)
    left join {{ ref('evaluation__answered_lines') }} as answered_lines
        using (source_file, file_position)
    left join counted_examples
        on
            predictions.benchmark = counted_examples.benchmark
            and predictions.condition = counted_examples.condition
            and predictions.example_key = counted_examples.example_key
            and (
                predictions.question = counted_examples.question
                or (
                    counted_examples.n_with_key = 1
                    and (
                        predictions.question is null
                        or (
                            -- a text is the number of no picture, nor of one without a number
                            not coalesce(
                                {{ try_cast_bigint('predictions.example_key') }}
                                = counted_examples.image_id,
                                false
                            )
                            and delivered_examples.source_file is null
                        )
                    )
                )
            )
),

ambiguous_keys as (
    select distinct benchmark, condition, example_key
    from counted_examples
    where n_with_key > 1
),

-- names of an example under other conditions
other_keys as (
    select benchmark, condition, example_key
    from named_examples
    group by benchmark, condition, example_key
    having not bool_or(is_asked)
),

identified_answers as (
    select
        resolved_answers.source_file, resolved_answers.benchmark, resolved_answers.task,
        resolved_answers.condition, resolved_answers.model, resolved_answers.run,
        resolved_answers.example_key,
        coalesce(
            resolved_answers.known_example_id, resolved_answers.delivered_example_id
        ) as example_id,
        coalesce(
            resolved_answers.known_source_image_id,
            resolved_answers.benchmark || '-' || resolved_answers.example_key
        ) as source_image_id,
        resolved_answers.question, resolved_answers.prediction, resolved_answers.gold_answer,
        resolved_answers.stated_action, resolved_answers.image_only_answer,
        resolved_answers.text_only_answer, resolved_answers.distractor_answer,
        resolved_answers.image_only_letter, resolved_answers.text_only_letter,
        resolved_answers.distractor_letter, resolved_answers.contradiction_letter,
        resolved_answers.confidence_kind, resolved_answers.prompt_version,
        resolved_answers.prompt_sha256, resolved_answers.answered_model,
        resolved_answers.judge_labels,
        coalesce(resolved_answers.known_image_id, resolved_answers.delivered_image_id)
            as image_id,
        resolved_answers.file_position, resolved_answers.lave_rating, resolved_answers.confidence,
        resolved_answers.p_yes, resolved_answers.p_no, resolved_answers.line_reason,
        ambiguous_keys.example_key is not null as is_ambiguous,
        other_keys.example_key is not null as is_of_other_condition
    from resolved_answers
    left join ambiguous_keys using (benchmark, condition, example_key)
    left join other_keys using (benchmark, condition, example_key)
),

-- few are; a window over all answers would sort them with their texts
repeated_examples as (
    select source_file, example_id, min(file_position) as first_position
    from identified_answers
    group by source_file, example_id
    having count(*) > 1
)

-- of several answers to one example the first in the file counts, whatever it says; an answer that
-- is null is an answer
select
    identified_answers.*,
    case
        when identified_answers.example_id is null
            then
                case
                    when identified_answers.line_reason is not null
                        then identified_answers.line_reason
                    when identified_answers.is_ambiguous then 'ambiguous_id'
                    when identified_answers.is_of_other_condition then 'other_condition'
                    else 'unknown_id'
                end
        when identified_answers.file_position > repeated_examples.first_position
            then 'duplicate_answer'
    end as reason
from identified_answers
left join repeated_examples using (source_file, example_id)
