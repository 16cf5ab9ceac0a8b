with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark in ('tdiuc', 'unk_vqa')
        and reason is null

),

questions as (

    select * from {{ ref('question_sets__questions') }}

),

ratings as (

    select * from {{ ref('evaluation__answer_ratings') }}

),

rated_answers as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.benchmark,
        predictions.example_id,
        predictions.confidence,
        ratings.is_idk as is_abstained,
        not questions.is_answerable as is_gold_abstained,
        cast(ratings.lave_rating - 1 as double) / 2 as lave
    from predictions
    inner join questions
        on
            predictions.benchmark = questions.benchmark
            and predictions.example_id = questions.example_id
    left join ratings
        on
            predictions.source_file = ratings.source_file
            and predictions.file_position = ratings.file_position

),

final as (

    select
        source_file,
        file_position,
        benchmark,
        'lave_idk' as matcher,
        example_id,
        {{ empty_list(dbt.type_string()) }} as slices,
        case
            when is_abstained and is_gold_abstained then cast(1 as double)
            when is_abstained or is_gold_abstained then cast(0 as double)
            when not is_abstained then lave
        end as credit,
        confidence,
        is_abstained,
        is_gold_abstained,
        {{ other_outcomes('is_abstained', 'is_gold_abstained') }}
    from rated_answers

)

select * from final
