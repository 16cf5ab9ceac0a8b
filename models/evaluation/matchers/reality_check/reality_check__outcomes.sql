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
        cast(null as {{ dbt.type_string() }}) as oracle_action,
        coalesce(answer = correct_answer, false) as is_correct,
        cast(null as boolean) as was_correct,
        cast(null as boolean) as is_abstained,
        cast(null as boolean) as is_gold_abstained,
        cast(null as boolean) as is_contradiction,
        cast(null as boolean) as is_image_only,
        cast(null as boolean) as is_text_only,
        coalesce(answer <> correct_answer, false) as is_distractor,
        answer is null as is_none,
        case when answer_format = 'yes_no' then answer = 'Yes' end as is_yes,
        case when answer_format = 'yes_no' then correct_answer = 'Yes' end as is_gold_yes,
        cast(null as {{ dbt.type_string() }}) as extraction
    from sliced_answers

)

select * from final
