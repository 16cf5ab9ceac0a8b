with

predictions as (

    select * from {{ ref('stg_gainsay__predictions') }}
    {%- if var('evaluation_reference_answers') %}
        union all
        select * from {{ ref('evaluation__reference_answers') }}
    {%- endif %}

),

asked as (

    select distinct
        benchmark,
        example_key,
        {{ try_cast_bigint('example_key') }} as numeric_key
    from predictions

),

clash_samples as (

    select * from {{ ref('evaluation__clash_samples') }}

),

vqa_questions as (

    select * from {{ ref('vqa__questions') }}

),

conflict_examples as (

    select * from {{ ref('conflict_suite__examples') }}

),

-- a CLASH sample is asked for by its own id, a released one by its picture, too
clash_examples as (

    select
        asked.benchmark,
        asked.example_key,
        clash_samples.sample_id as example_id,
        clash_samples.image_id,
        clash_samples.source_image_id,
        clash_samples.question
    from asked
    inner join clash_samples
        on asked.numeric_key = clash_samples.image_id
    where
        asked.benchmark = 'clash'
        and clash_samples.origin = 'released'
    union all
    select
        asked.benchmark,
        asked.example_key,
        clash_samples.sample_id,
        clash_samples.image_id,
        clash_samples.source_image_id,
        clash_samples.question
    from asked
    inner join clash_samples
        on asked.example_key = clash_samples.sample_id
    where asked.benchmark = 'clash'

),

vqa_examples as (

    select
        asked.benchmark,
        asked.example_key,
        'vqa-' || asked.example_key as example_id,
        vqa_questions.image_id,
        vqa_questions.source_image_id,
        vqa_questions.question
    from asked
    inner join vqa_questions
        on asked.numeric_key = vqa_questions.question_id
    where
        asked.benchmark = 'vqa'
        or (
            asked.benchmark = 'pope'
            and vqa_questions.multiple_choice_answer in ('yes', 'no')
        )

),

suite_examples as (

    select
        asked.benchmark,
        asked.example_key,
        conflict_examples.example_id,
        conflict_examples.image_id,
        conflict_examples.source_image_id,
        conflict_examples.question
    from asked
    inner join conflict_examples
        on asked.example_key = conflict_examples.example_id
    where asked.benchmark = 'conflict_suite'

),

known as (

    select * from clash_examples
    union all
    select * from vqa_examples
    union all
    select * from suite_examples

),

counted as (

    select
        *,
        count(*) over (partition by benchmark, example_key) as n_with_key
    from known

),

-- the question decides between two samples of a picture, and must be the sample's own
resolved as (

    select
        predictions.*,
        counted.example_id as known_example_id,
        counted.image_id as known_image_id,
        counted.source_image_id as known_source_image_id
    from predictions
    left join counted
        on
            predictions.benchmark = counted.benchmark
            and predictions.example_key = counted.example_key
            and (
                (
                    counted.n_with_key = 1
                    and (predictions.benchmark <> 'clash' or predictions.question is null)
                )
                or predictions.question = counted.question
            )

),

ambiguous as (

    select distinct
        benchmark,
        example_key
    from counted
    where n_with_key > 1

),

-- published CLASH records and those of certainly_uncertain bring their example along
identified as (

    select
        resolved.source_file,
        resolved.benchmark,
        resolved.task,
        resolved.condition,
        resolved.model,
        resolved.run,
        resolved.example_key,
        coalesce(
            resolved.known_example_id,
            case
                when resolved.benchmark = 'certainly_uncertain' and resolved.gold_answer is not null
                    then 'certainly-uncertain-' || resolved.example_key
                when resolved.benchmark = 'clash' and resolved.image_only_answer is not null
                    then {{ clash_sample_id('resolved.example_key', 'resolved.question') }}
            end
        ) as example_id,
        coalesce(
            resolved.known_source_image_id, resolved.benchmark || '-' || resolved.example_key
        ) as source_image_id,
        resolved.question,
        resolved.prediction,
        resolved.gold_answer,
        resolved.stated_action,
        resolved.image_only_answer,
        resolved.text_only_answer,
        resolved.distractor_answer,
        resolved.image_only_letter,
        resolved.text_only_letter,
        resolved.distractor_letter,
        resolved.contradiction_letter,
        resolved.judge_labels,
        coalesce(
            resolved.known_image_id,
            case
                when resolved.benchmark = 'clash' then {{ try_cast_bigint('resolved.example_key') }}
            end
        ) as image_id,
        resolved.file_position,
        resolved.lave_rating,
        resolved.confidence,
        resolved.p_yes,
        resolved.p_no,
        ambiguous.example_key is not null as is_ambiguous
    from resolved
    left join ambiguous
        on
            resolved.benchmark = ambiguous.benchmark
            and resolved.example_key = ambiguous.example_key

),

-- of several answers to one example the first in the file counts, whatever it says
final as (

    select
        *,
        case
            when prediction is null then 'missing_answer'
            when example_id is null and is_ambiguous then 'ambiguous_id'
            when example_id is null then 'unknown_id'
            when row_number() over (
                partition by source_file, example_id, prediction is null
                order by file_position
            ) > 1 then 'duplicate_answer'
        end as reason
    from identified

)

select * from final
