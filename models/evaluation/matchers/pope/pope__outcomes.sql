with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'pope'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}
    where benchmark = 'pope'

),

negations as (

    select * from {{ ref('pope_negations') }}

),

-- only the text before the first full stop counts, without its commas
first_sentences as (

    select
        source_file,
        file_position,
        replace({{ regexp_extract('prediction', '^[^.]*') }}, ',', '') as first_sentence
    from predictions

),

words as (

    select
        source_file,
        file_position,
        {{ unnest_list(regexp_extract_all('first_sentence', '[^ ]+')) }} as word
    from first_sentences

),

negated_answers as (

    select distinct
        words.source_file,
        words.file_position
    from words
    inner join negations
        on words.word = negations.word

),

yes_or_no as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        {{ list_value("'split=' || questions.source_split") }} as slices,
        case
            when predictions.prediction is not null then negated_answers.source_file is null
        end as is_yes,
        questions.gold_answer = 'yes' as is_gold_yes
    from predictions
    inner join questions
        on predictions.example_id = questions.example_id
    left join negated_answers
        on
            predictions.source_file = negated_answers.source_file
            and predictions.file_position = negated_answers.file_position

),

final as (

    select
        source_file,
        file_position,
        'first_sentence' as matcher,
        example_id,
        slices,
        {{ one_if('is_yes = is_gold_yes') }} as credit,
        confidence,
        coalesce(is_yes = is_gold_yes, false) as is_correct,
        is_yes,
        is_gold_yes,
        {{ other_outcomes('is_correct', 'is_yes', 'is_gold_yes') }}
    from yes_or_no

)

select * from final
