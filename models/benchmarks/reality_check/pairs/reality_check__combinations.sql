with
biases as (select * from {{ ref('reality_check_biases') }})

select
    bias_type as combination,
    bias_type,
    {{ list_value('bias_type') }} as bias_types_combined,
    ground_truth_method, questions_per_pair
from biases
union all
select
    compound_combinations.combination, 'compound' as bias_type,
    {{ list_value('first_biases.bias_type', 'second_biases.bias_type') }}
        as bias_types_combined,
    first_biases.ground_truth_method || '+' || second_biases.ground_truth_method
        as ground_truth_method,
    1 as questions_per_pair
from {{ ref('reality_check_compound_combinations') }} as compound_combinations
inner join biases as first_biases on compound_combinations.first_bias = first_biases.bias_type
inner join biases as second_biases on compound_combinations.second_bias = second_biases.bias_type
