with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'clash'
        and reason is null

),

samples as (

    select * from {{ ref('evaluation__clash_samples') }}

),

texts as (

    select * from {{ ref('evaluation__clash_texts') }}

),

matchers as (

    select * from {{ ref('evaluation_matchers') }}
    where benchmark = 'clash'

),

-- the letters that a file names are those that its model saw
answered as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.task,
        predictions.prediction,
        predictions.image_only_letter,
        predictions.text_only_letter,
        predictions.distractor_letter,
        predictions.contradiction_letter,
        coalesce(samples.image_only_answer, predictions.image_only_answer) as image_only_answer,
        coalesce(samples.text_only_answer, predictions.text_only_answer) as text_only_answer,
        coalesce(samples.distractor_answer, predictions.distractor_answer) as distractor_answer,
        case
            when samples.sample_id is null then {{ empty_list(dbt.type_string()) }}
            else {{ list_concat(
                list_value("'change_type=' || samples.change_type"),
                list_transform(
                    'samples.categories', 'category',
                    "samples.change_type || '_category=' || category"
                )
            ) }}
        end as slices
    from predictions
    left join samples
        on predictions.example_id = samples.sample_id

),

-- an answer without words matches nothing
open_ended as (

    select
        answered.source_file,
        answered.file_position,
        'relaxed' as matcher,
        answered.slices,
        contains(prediction_texts.spaced_stems, ' conflict ')
        or contains(prediction_texts.spaced_stems, ' contradict ')
            as is_contradiction,
        image_texts.spaced_stems <> '  '
        and contains(prediction_texts.spaced_stems, image_texts.spaced_stems)
            as is_image_only,
        text_texts.spaced_stems <> '  '
        and contains(prediction_texts.spaced_stems, text_texts.spaced_stems)
            as is_text_only,
        false as is_distractor
    from answered
    inner join texts as prediction_texts
        on answered.prediction = prediction_texts.text
    inner join texts as image_texts
        on answered.image_only_answer = image_texts.text
    inner join texts as text_texts
        on answered.text_only_answer = text_texts.text
    where answered.task = 'open_ended'

),

lettered as (

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
named as (

    select
        *,
        spaced_image_only <> '  '
        and contains(spaced_prediction, spaced_image_only) as names_image_only,
        spaced_text_only <> '  '
        and contains(spaced_prediction, spaced_text_only) as names_text_only,
        spaced_distractor <> '  '
        and contains(spaced_prediction, spaced_distractor) as names_distractor
    from lettered

),

-- one letter is a choice, several are none; without any, relaxed takes a lone letter or a word
chosen as (

    select
        named.source_file,
        named.file_position,
        matchers.matcher,
        named.slices,
        named.image_only_letter,
        named.text_only_letter,
        named.distractor_letter,
        named.contradiction_letter,
        case
            when {{ list_length('named.letters') }} = 1
                then substr({{ list_extract('named.letters', 1) }}, 2, 1)
            when {{ list_length('named.letters') }} > 1 or matchers.matcher = 'strict' then null
            when named.only_word in ('A', 'B', 'C', 'D') then named.only_word
            when not named.names_text_only and not named.names_distractor
                then case when named.names_image_only then named.image_only_letter end
            when not named.names_image_only and not named.names_distractor
                then case when named.names_text_only then named.text_only_letter end
            when not named.names_image_only and not named.names_text_only
                then case when named.names_distractor then named.distractor_letter end
        end as letter
    from named
    inner join matchers
        on named.task = matchers.task

),

multiple_choice as (

    select
        source_file,
        file_position,
        matcher,
        slices,
        coalesce(letter = contradiction_letter, false) as is_contradiction,
        coalesce(letter = image_only_letter, false) as is_image_only,
        coalesce(letter = text_only_letter, false) as is_text_only,
        coalesce(letter = distractor_letter, false) as is_distractor
    from chosen

),

final as (

    select * from open_ended
    union all
    select * from multiple_choice

)

select * from final
