with

factor_policies as (

    select * from {{ ref('reality_check_factor_policies') }}

),

compound_combinations as (

    select * from {{ ref('reality_check_compound_combinations') }}

),

combined_policies as (

    select
        compound_combinations.combination,
        first_policies.factor,
        case
            when 'varies' in (first_policies.policy, second_policies.policy) then 'varies'
            when 'recorded' in (first_policies.policy, second_policies.policy) then 'recorded'
            else 'holds'
        end as policy
    from compound_combinations
    inner join factor_policies as first_policies
        on compound_combinations.first_bias = first_policies.bias_type
    inner join factor_policies as second_policies
        on
            compound_combinations.second_bias = second_policies.bias_type
            and first_policies.factor = second_policies.factor

),

final as (

    select
        bias_type as combination,
        factor,
        policy
    from factor_policies
    union all
    select
        combination,
        factor,
        policy
    from combined_policies

)

select * from final
