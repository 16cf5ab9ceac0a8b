{#- of AMBER's kinds of questions those of attributes end in which: `attribute-state` -#}
{%- set attribute_slice -%}
    'attribute=' || nullif(replace(
        {{ regexp_extract('answers.question_type', 'attribute-[a-z]+$') }}, 'attribute-', ''
    ), '')
{%- endset -%}
with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where reason is null
),

verdicts as (
    select * from {{ ref('llm__outcomes') }}
    where
        state = 'answered'
        and task = 'hallucination'
        and model = {{ text_literal(var('evaluation_hallucination_judge')) }}
),

answers as (
    select
        predictions.benchmark, predictions.source_file, predictions.file_position,
        predictions.example_id, predictions.confidence, predictions.prediction,
        questions.gold_answer, questions.question_type, questions.answer_type,
        questions.source_split
    from predictions
    inner join {{ ref('evaluation__vqa_questions') }} as questions using (benchmark, example_id)
),

-- GQA wants the gold answer, but for case and spaces around it
gqa_answers as (
    select
        *,
        {{ list_value(
            "'structural_type=' || question_type", "'semantic_type=' || answer_type"
        ) }} as slices,
        coalesce(
            trim({{ lower_text('prediction') }}) = trim({{ lower_text('gold_answer') }}), false
        ) as is_correct
    from answers
    where benchmark = 'gqa'
),

-- of POPE's answers only the text before the first full stop counts, without its commas
pope_sentences as (
    select
        source_file, file_position,
        replace({{ regexp_extract('prediction', '^[^.]*') }}, ',', '') as sentence
    from answers
    where benchmark = 'pope'
),

pope_words as (
    select
        source_file, file_position,
        {{ unnest_list(regexp_extract_all('sentence', '[^ ]+')) }} as word
    from pope_sentences
),

negated_answers as (
    select distinct pope_words.source_file, pope_words.file_position
    from pope_words
    inner join {{ vocabulary('evaluation', 'pope_negations') }} as pope_negations using (word)
),

-- AMBER's program knows "Yes" and "No" to the letter; all else is neither
yes_or_no as (
    select
        answers.*,
        'first_sentence' as matcher,
        {{ list_value("'split=' || answers.source_split") }} as slices,
        case
            when answers.prediction is not null then negated_answers.source_file is null
        end as is_yes,
        cast(null as boolean) as is_none
    from answers
    left join negated_answers
        on
            answers.source_file = negated_answers.source_file
            and answers.file_position = negated_answers.file_position
    where answers.benchmark = 'pope'
    union all
    select
        answers.*,
        'to_the_letter' as matcher,
        {{ list_value("'dimension=' || kinds.dimension", attribute_slice) }} as slices,
        case answers.prediction when 'Yes' then true when 'No' then false end as is_yes,
        answers.prediction is null or answers.prediction not in ('Yes', 'No') as is_none
    from answers
    inner join
        {{ vocabulary('evaluation', 'amber_dimensions', word='question_type', value='dimension') }}
            as kinds
        on answers.question_type = kinds.question_type
    where answers.benchmark = 'amber'
),

-- of several answers of the judge the latest counts
ranked_verdicts as (
    select
        input_id,
        cast({{ json_extract_string('answer', '$.rating') }} as double) as rating,
        row_number() over (
            partition by input_id
            order by requested_at desc, custom_id asc
        ) as preference
    from verdicts
),

rated_answers as (
    select
        answers.*,
        {{ list_value("'question_type=' || answers.question_type") }} as slices,
        case
            -- no judge is shown an empty answer, which says nothing
            when coalesce(trim(answers.prediction), '') = '' then cast(0 as double)
            else ranked_verdicts.rating
        end as rating
    from answers
    left join {{ ref('evaluation__hallucination_inputs') }} as hallucination_inputs
        using (source_file, file_position)
    left join ranked_verdicts
        on
            hallucination_inputs.input_id = ranked_verdicts.input_id
            and ranked_verdicts.preference = 1
    where answers.benchmark = 'mmhal'
),

outcomes as (
    select
        benchmark, source_file, file_position, 'exact' as matcher, example_id, slices,
        {{ one_if('is_correct') }} as credit,
        confidence, is_correct, cast(null as boolean) as is_none, cast(null as boolean) as is_yes,
        cast(null as boolean) as is_gold_yes, cast(null as boolean) as is_rated
    from gqa_answers
    union all
    select
        benchmark, source_file, file_position, matcher, example_id, slices,
        {{ one_if("is_yes = (gold_answer = 'yes')") }} as credit,
        confidence,
        coalesce(is_yes = (gold_answer = 'yes'), false) as is_correct,
        is_none, is_yes,
        gold_answer = 'yes' as is_gold_yes,
        cast(null as boolean) as is_rated
    from yes_or_no
    union all
    select
        benchmark, source_file, file_position, 'judged' as matcher, example_id, slices,
        coalesce(rating, 0) / 6 as credit,
        confidence, cast(null as boolean) as is_correct, cast(null as boolean) as is_none,
        cast(null as boolean) as is_yes, cast(null as boolean) as is_gold_yes,
        rating is not null as is_rated
    from rated_answers
)

select
    *,
    {{ other_outcomes('is_correct', 'is_none', 'is_yes', 'is_gold_yes', 'is_rated') }}
from outcomes
