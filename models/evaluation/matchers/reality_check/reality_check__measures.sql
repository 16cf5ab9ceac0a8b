-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}
with
metrics as (
    select * from {{ ref('evaluation__metrics') }}
    where benchmark = 'reality_check'
),

-- a pair that asks two questions, in one language and file of answers
pair_answers as (
    select
        *,
        {{ regexp_extract('combination', '^[a-z_]+') }} as first_bias,
        is_control and is_gold_yes is not null as is_yes_no_control,
        not is_control and is_gold_yes is not null as is_yes_no_challenge,
        not is_control and bias_type = 'compound' as is_compound,
        min(credit) over pair as least_credit,
        count(*) over pair as n_answers
    from {{ ref('reality_check__outcomes') }}
    window pair as (partition by source_file, pair_id, language)
),

-- the key of a compound's option says first which half is right, then the other
counts as (
    select
        pair_answers.source_file, pair_answers.file_position, pair_answers.matcher, metrics.metric,
        case metrics.metric
            when 'accuracy' then pair_answers.credit
            when 'both_right'
                then case when pair_answers.n_answers = 2 then pair_answers.least_credit end
            when 'yes_ratio'
                then
                    case
                        when pair_answers.is_yes_no_challenge
                            then {{ one_if('pair_answers.is_yes') }}
                    end
            when 'first_part'
                then
                    case
                        when pair_answers.is_compound
                            then {{ one_if(
                                "pair_answers.option_key in ('right_right', 'right_wrong')"
                            ) }}
                    end
            when 'second_part'
                then
                    case
                        when pair_answers.is_compound
                            then {{ one_if(
                                "pair_answers.option_key in ('right_right', 'wrong_right')"
                            ) }}
                    end
            when 'failed_first_part'
                then
                    case
                        when pair_answers.is_compound
                            then {{ one_if(
                                'pair_answers.failure_mode = pair_answers.first_bias'
                            ) }}
                    end
            when 'failed_second_part'
                then
                    case
                        when pair_answers.is_compound
                            then {{ one_if(
                                'pair_answers.failure_mode <> pair_answers.first_bias'
                            ) }}
                    end
            when 'failed_both_parts'
                then
                    case
                        when pair_answers.is_compound
                            then {{ one_if("pair_answers.option_key = 'wrong_wrong'") }}
                    end
            when 'control_accuracy'
                then
                    case
                        when pair_answers.is_control
                            then {{ one_if('pair_answers.is_correct') }}
                    end
            when 'control_yes_ratio'
                then
                    case
                        when pair_answers.is_yes_no_control
                            then {{ one_if('pair_answers.is_yes') }}
                    end
            when 'unread' then {{ one_if('pair_answers.is_none') }}
        end as numerator,
        cast(1 as double) as denominator
    from pair_answers
    cross join metrics
)

select * from counts
where numerator is not null
