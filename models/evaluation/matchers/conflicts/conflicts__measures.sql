-- a view: nothing but its sums is looked at
{{ config(materialized='view') }}
with
answers as (
    select
        *,
        -- one published evaluator takes the gold answer, too, where the modalities disagree
        case
            when oracle_action = 'require_agreement' and is_correct then cast(1 as double)
            else credit
        end as lenient_credit,
        stated_action is not null as states_action,
        coalesce(stated_action = oracle_action, false) as states_oracle_action
    from {{ ref('conflicts__outcomes') }}
),

-- the F1 of an action is about the answers that state it and those that should
metric_answers as (
    select
        answers.*,
        metrics.metric,
        metrics.part_of = 'action_macro_f1' as is_action_f1,
        answers.states_action and metrics.metric = 'action_f1_' || answers.stated_action
            as states_action_of_metric,
        answers.states_action and metrics.metric = 'action_f1_' || answers.oracle_action
            as should_state_action_of_metric
    from answers
    inner join {{ ref('evaluation__metrics') }} as metrics using (benchmark)
),

measured_answers as (
    select
        benchmark, source_file, file_position, matcher, metric,
        case
            when is_action_f1
                then
                    2 * {{ one_if('states_action_of_metric and should_state_action_of_metric') }}
            when metric = 'task_success' then credit
            when metric = 'task_success_lenient' then lenient_credit
            when metric = 'pair_success' then cast(is_pair_success as double)
            when metric = 'accuracy' then {{ one_if('is_correct') }}
            when metric = 'coverage' then {{ one_if('not is_abstained') }}
            when metric = 'accuracy_on_answered' then {{ one_if('is_correct') }}
            when metric = 'action_accuracy' then {{ one_if('states_oracle_action') }}
            when metric = 'brier' then power(confidence - credit, 2)
            when metric = 'monotonicity_violation_rate'
                then {{ one_if('is_correct and not was_correct') }}
        end as numerator,
        case
            when is_action_f1
                then
                    {{ one_if('states_action_of_metric') }}
                    + {{ one_if('should_state_action_of_metric') }}
            when metric = 'accuracy_on_answered' then {{ one_if('not is_abstained') }}
            when metric = 'pair_success' then {{ one_if('is_pair_success is not null') }}
            when metric = 'task_success_lenient'
                then {{ one_if('lenient_credit is not null') }}
            when metric = 'action_accuracy' then {{ one_if('states_action') }}
            when metric = 'monotonicity_violation_rate'
                then {{ one_if('was_correct is not null') }}
            else cast(1 as double)
        end as denominator
    from metric_answers
)

select * from measured_answers
where numerator is not null and denominator > 0
