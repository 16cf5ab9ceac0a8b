with

predictions as (

    select * from {{ ref('evaluation__predictions') }}
    where
        benchmark = 'amber'
        and reason is null

),

questions as (

    select * from {{ ref('evaluation__vqa_questions') }}
    where benchmark = 'amber'

),

kinds as (

    select * from {{ ref('amber_kinds') }}

),

-- AMBER's program knows "Yes" and "No" to the letter; all else is neither
yes_or_no as (

    select
        predictions.source_file,
        predictions.file_position,
        predictions.example_id,
        predictions.confidence,
        {{ list_value(
            "'dimension=' || kinds.dimension",
            "'attribute=' || nullif(kinds.attribute, '')"
        ) }} as slices,
        case predictions.prediction when 'Yes' then true when 'No' then false end as is_yes,
        questions.gold_answer = 'yes' as is_gold_yes
    from predictions
    inner join questions
        on predictions.example_id = questions.example_id
    inner join kinds
        on questions.question_type = kinds.question_type

),

final as (

    select
        source_file,
        file_position,
        'to_the_letter' as matcher,
        example_id,
        slices,
        {{ one_if('is_yes = is_gold_yes') }} as credit,
        confidence,
        coalesce(is_yes = is_gold_yes, false) as is_correct,
        is_yes is null as is_none,
        is_yes,
        is_gold_yes,
        {{ other_outcomes('is_correct', 'is_none', 'is_yes', 'is_gold_yes') }}
    from yes_or_no

)

select * from final
