with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'certainly_uncertain'
        and reason is null

),

phrases as (

    select * from {{ ref('evaluation__phrases') }}

),

answer_ratings as (

    select * from {{ ref('evaluation__answer_ratings') }}

),

examples as (

    select * from {{ ref('certainly_uncertain__examples') }}

),

-- an answer to an example of others brings its gold answer along
answered_examples as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.prediction,
        answer_ratings.lave_rating,
        answer_ratings.is_idk,
        predictions.confidence,
        predictions.p_yes,
        predictions.p_no,
        coalesce(examples.answer, predictions.gold_answer) as gold_answer,
        {{ list_value(
            "'condition=' || predictions.condition",
            "'category=' || examples.category",
            "'kind=' || examples.kind",
            "'source=' || examples.source",
            "'side=' || examples.operator",
            "'split=' || examples.split"
        ) }} as slices,
        not examples.is_answerable as is_gold_idk
    from predictions
    inner join answer_ratings
        on
            predictions.source_file = answer_ratings.source_file
            and predictions.file_position = answer_ratings.file_position
    left join examples
        on predictions.example_id = examples.example_id

),

ratings as (

    select
        answered_examples.source_file,
        answered_examples.file_position,
        answered_examples.example_id,
        answered_examples.slices,
        answered_examples.is_idk,
        coalesce(answered_examples.is_gold_idk, of_gold.is_idk, false) as is_gold_idk,
        -- no answer is worth nothing, and the gold answer itself needs no judge
        case
            when coalesce(trim(answered_examples.prediction), '') = '' then cast(0 as double)
            when answered_examples.lave_rating is not null
                then cast(answered_examples.lave_rating - 1 as double) / 2
            when
                {{ plain_words('answered_examples.prediction') }}
                = {{ plain_words('answered_examples.gold_answer') }}
                then cast(1 as double)
        end as lave,
        coalesce(
            case
                when answered_examples.p_yes + answered_examples.p_no > 0
                    then
                        answered_examples.p_yes
                        / (answered_examples.p_yes + answered_examples.p_no)
            end,
            answered_examples.confidence
        ) as p_correct
    from answered_examples
    left join phrases as of_gold
        on answered_examples.gold_answer = of_gold.text

),

final as (

    select
        source_file,
        file_position,
        'lave_idk' as matcher,
        example_id,
        slices,
        case
            -- a judge that is named and has not spoken
            when is_idk is null then null
            when is_idk and is_gold_idk then cast(1 as double)
            when is_idk or is_gold_idk then cast(0 as double)
            else lave
        end as credit,
        p_correct as confidence,
        is_idk as is_abstained,
        is_gold_idk as is_gold_abstained,
        {{ other_outcomes('is_abstained', 'is_gold_abstained') }}
    from ratings

)

select * from final
