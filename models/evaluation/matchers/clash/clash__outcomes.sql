with
predictions as (
    select * from {{ ref('evaluation__predictions') }}
    where benchmark = 'clash' and reason is null
),

texts as (select * from {{ ref('evaluation__clash_texts') }}),

matchers as (
    select * from {{ ref('evaluation__matchers') }}
    where benchmark = 'clash'
),

-- a sample of two categories is in the row of neither, as in the published tables
sliced_samples as (
    select
        sample_id, image_only_answer, text_only_answer, distractor_answer,
        case
            when {{ list_length('categories') }} = 1
                then
                    {{ list_concat(
                        list_value("'change_type=' || change_type", "'origin=' || origin"),
                        list_transform(
                            'categories', 'category',
                            "change_type || '_category=' || category"
                        )
                    ) }}
            else {{ list_value("'change_type=' || change_type", "'origin=' || origin") }}
        end as slices
    from {{ ref('evaluation__clash_samples') }}
),

asked_letters as (
    select
        sample_id,
        max(case choice_kind when 'image_only' then letter end) as image_only_letter,
        max(case choice_kind when 'text_only' then letter end) as text_only_letter,
        max(case choice_kind when 'distractor' then letter end) as distractor_letter,
        max(case choice_kind when 'conflict' then letter end) as contradiction_letter
    from {{ ref('clash__choices') }}
    group by sample_id
),

-- the letters that a file names are those that its model saw; a file without the answers by their
-- modality is one of a model that was asked by the prompts of this warehouse
answers_with_letters as (
    select
        predictions.source_file, predictions.file_position, predictions.task, predictions.condition,
        predictions.example_id, predictions.prediction, predictions.image_only_answer,
        predictions.text_only_answer, predictions.distractor_answer, predictions.confidence,
        case
            when predictions.image_only_answer is null then asked_letters.image_only_letter
            else predictions.image_only_letter
        end as image_only_letter,
        case
            when predictions.image_only_answer is null then asked_letters.text_only_letter
            else predictions.text_only_letter
        end as text_only_letter,
        case
            when predictions.image_only_answer is null then asked_letters.distractor_letter
            else predictions.distractor_letter
        end as distractor_letter,
        case
            when predictions.image_only_answer is null then asked_letters.contradiction_letter
            else predictions.contradiction_letter
        end as contradiction_letter
    from predictions
    left join asked_letters on predictions.example_id = asked_letters.sample_id
),

answered as (
    select
        predictions.source_file, predictions.file_position, predictions.task, predictions.condition,
        predictions.example_id, predictions.prediction, predictions.image_only_letter,
        predictions.text_only_letter, predictions.distractor_letter,
        predictions.contradiction_letter, predictions.confidence,
        coalesce(
            sliced_samples.image_only_answer, predictions.image_only_answer
        ) as image_only_answer,
        coalesce(sliced_samples.text_only_answer, predictions.text_only_answer) as text_only_answer,
        coalesce(
            sliced_samples.distractor_answer, predictions.distractor_answer
        ) as distractor_answer,
        case
            when sliced_samples.sample_id is null then {{ empty_list('string') }}
            when examples.split is null then sliced_samples.slices
            else
                {{ list_concat(
                    'sliced_samples.slices', list_value("'split=' || examples.split")
                ) }}
        end as slices
    from answers_with_letters as predictions
    left join sliced_samples on predictions.example_id = sliced_samples.sample_id
    left join {{ ref('clash__examples') }} as examples
        on
            predictions.example_id = examples.sample_id
            and {{ whole_condition('predictions.condition') }} = examples.condition
),

-- an answer without words, or none at all, matches nothing
open_ended as (
    select
        answered.source_file, answered.file_position, 'relaxed' as matcher, answered.example_id,
        answered.condition, answered.slices, answered.confidence,
        coalesce(
            contains(prediction_texts.spaced_stems, ' conflict ')
            or contains(prediction_texts.spaced_stems, ' contradict '), false
        ) as is_contradiction,
        coalesce(
            image_texts.spaced_stems <> '  '
            and contains(prediction_texts.spaced_stems, image_texts.spaced_stems), false
        ) as is_image_only,
        coalesce(
            text_texts.spaced_stems <> '  '
            and contains(prediction_texts.spaced_stems, text_texts.spaced_stems), false
        ) as is_text_only,
        false as is_distractor
    from answered
    left join texts as prediction_texts on answered.prediction = prediction_texts.text
    inner join texts as image_texts on answered.image_only_answer = image_texts.text
    inner join texts as text_texts on answered.text_only_answer = text_texts.text
    where answered.task = 'open_ended'
),

multiple_choice_answers as (
    select
        *,
        {{ list_sort_distinct(regexp_extract_all('prediction', '[(][ABCD][)]')) }} as letters,
        upper({{ regexp_replace('prediction', '[^\\p{L}\\p{N}_]+', '') }}) as only_word,
        {{ spaced_words('prediction') }} as spaced_prediction,
        {{ spaced_words('image_only_answer') }} as spaced_image_only,
        {{ spaced_words('text_only_answer') }} as spaced_text_only,
        {{ spaced_words('distractor_answer') }} as spaced_distractor
    from answered
    where task = 'multiple_choice'
),

-- which of the three answers stand in the prediction as whole words
named_answers as (
    select
        *,
        spaced_image_only <> '  '
        and contains(spaced_prediction, spaced_image_only) as names_image_only,
        spaced_text_only <> '  '
        and contains(spaced_prediction, spaced_text_only) as names_text_only,
        spaced_distractor <> '  '
        and contains(spaced_prediction, spaced_distractor) as names_distractor
    from multiple_choice_answers
),

-- one letter is a choice, several are none; without any, relaxed takes a lone letter or a word
choices as (
    select
        named_answers.source_file, named_answers.file_position, matchers.matcher,
        named_answers.example_id, named_answers.condition, named_answers.slices,
        named_answers.confidence, named_answers.image_only_letter, named_answers.text_only_letter,
        named_answers.distractor_letter, named_answers.contradiction_letter,
        case
            when {{ list_length('named_answers.letters') }} = 1
                then substr({{ list_extract('named_answers.letters', 1) }}, 2, 1)
            when {{ list_length('named_answers.letters') }} > 1 then null
            when matchers.matcher = 'strict' then null
            when named_answers.only_word in ('A', 'B', 'C', 'D') then named_answers.only_word
            when not named_answers.names_text_only and not named_answers.names_distractor
                then
                    case
                        when named_answers.names_image_only
                            then named_answers.image_only_letter
                    end
            when not named_answers.names_image_only and not named_answers.names_distractor
                then case when named_answers.names_text_only then named_answers.text_only_letter end
            when not named_answers.names_image_only and not named_answers.names_text_only
                then
                    case
                        when named_answers.names_distractor
                            then named_answers.distractor_letter
                    end
        end as letter
    from named_answers
    inner join matchers using (task)
),

multiple_choice as (
    select
        source_file, file_position, matcher, example_id, condition, slices, confidence,
        coalesce(letter = contradiction_letter, false) as is_contradiction,
        coalesce(letter = image_only_letter, false) as is_image_only,
        coalesce(letter = text_only_letter, false) as is_text_only,
        coalesce(letter = distractor_letter, false) as is_distractor
    from choices
),

flagged_answers as (
    select * from open_ended
    union all
    select * from multiple_choice
)

-- CLASH names no right answer: credit is for the right modality, which the caption decides, and
-- an answer that speaks of a conflict where there is none does not follow the picture
select
    source_file, file_position, matcher, example_id, slices,
    case {{ whole_condition('condition') }}
        when 'original' then {{ one_if('is_image_only and not is_contradiction') }}
        else {{ one_if('is_contradiction') }}
    end as credit,
    confidence, is_contradiction, is_image_only, is_text_only, is_distractor,
    not is_contradiction
    and not is_image_only
    and not is_text_only
    and not is_distractor as is_none,
    {{ other_outcomes(
        'is_contradiction', 'is_image_only', 'is_text_only', 'is_distractor', 'is_none'
    ) }}
from flagged_answers
