with

read_answers as (

    select * from {{ ref('evaluation__reality_check_read_answers') }}

),

sliced_answers as (

    select
        *,
        case
            when bias_type = 'compound' then {{ list_value("'combination=' || combination") }}
            else {{ empty_list(dbt.type_string()) }}
        end as compound_slices
    from read_answers

),

final as (

    select
        source_file,
        file_position,
        'by_format' as matcher,
        example_id,
        {{ list_concat(
            list_value(
                "'bias_type=' || bias_type",
                "'question_role=' || question_role",
                "'difficulty=' || difficulty",
                "'language=' || language",
                "'truth_source=' || truth_source",
                "'answer_format=' || answer_format",
            ),
            'compound_slices',
        ) }} as slices,
        -- controls have metrics of their own and count in no other
        case when not is_control then {{ one_if('answer = correct_answer') }} end as credit,
        confidence,
        coalesce(answer = correct_answer, false) as is_correct,
        coalesce(answer <> correct_answer, false) as is_distractor,
        answer is null as is_none,
        case when answer_format = 'yes_no' then answer = 'Yes' end as is_yes,
        case when answer_format = 'yes_no' then correct_answer = 'Yes' end as is_gold_yes,
        {{ other_outcomes('is_correct', 'is_distractor', 'is_none', 'is_yes', 'is_gold_yes') }}
    from sliced_answers

)

select * from final
