-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}

with

outcomes as (

    select * from {{ ref('reality_check__outcomes') }}

),

read_answers as (

    select * from {{ ref('evaluation__reality_check_read_answers') }}

),

metrics as (

    select * from {{ ref('reality_check__metrics') }}

),

-- a pair that asks two questions, in one language and file of answers
pair_answers as (

    select
        outcomes.*,
        read_answers.option_key,
        read_answers.failure_mode,
        {{ regexp_extract('read_answers.combination', '^[a-z_]+') }} as first_bias,
        read_answers.is_control,
        read_answers.is_control and outcomes.is_gold_yes is not null as is_yes_no_control,
        not read_answers.is_control and outcomes.is_gold_yes is not null as is_yes_no_challenge,
        not read_answers.is_control and read_answers.bias_type = 'compound' as is_compound,
        min(outcomes.credit) over (
            partition by outcomes.source_file, read_answers.pair_id, read_answers.language
        ) as least_credit,
        count(*) over (
            partition by outcomes.source_file, read_answers.pair_id, read_answers.language
        ) as n_answers
    from outcomes
    inner join read_answers
        on
            outcomes.source_file = read_answers.source_file
            and outcomes.file_position = read_answers.file_position

),

-- the key of a compound's option says first which half is right, then the other
counts as (

    select
        pair_answers.source_file,
        pair_answers.file_position,
        pair_answers.matcher,
        metrics.metric,
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

),

final as (

    select * from counts
    where numerator is not null

)

select * from final
