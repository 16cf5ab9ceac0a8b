with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'pope'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}

),

negations as (

    select * from {{ ref('pope_negations') }}

),

-- only the text before the first full stop counts, split at spaces, commas removed
words as (

    select
        source_file,
        file_position,
        {{ unnest_list(regexp_extract_all(
            "replace(" ~ regexp_extract('prediction', '^[^.]*') ~ ", ',', '')", '[^ ]+'
        )) }} as word
    from predictions

),

negated as (

    select distinct
        words.source_file,
        words.file_position
    from words
    inner join negations
        on words.word = negations.word

),

final as (

    select
        predictions.source_file,
        predictions.file_position,
        {{ list_value("'split=' || questions.source_split") }} as slices,
        negated.source_file is null as is_yes,
        questions.multiple_choice_answer = 'yes' as is_gold_yes
    from predictions
    inner join questions
        on {{ try_cast_bigint('predictions.example_key') }} = questions.question_id
    left join negated
        on
            predictions.source_file = negated.source_file
            and predictions.file_position = negated.file_position

)

select * from final
