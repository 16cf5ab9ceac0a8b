{#- the keys that the configuration must set, with the values of each -#}
{%- set keys = {
    'target_dataset_size': [var('reality_check_target_dataset_size')],
    'compound_challenge_count': [var('reality_check_compound_challenge_count')],
    'languages': var('reality_check_languages'),
    'random_seed': [var('reality_check_seed')],
    'image_sources': var('reality_check_image_sources'),
    'difficulty_distribution': var('reality_check_mix').values() | list,
} -%}
{%- set unset_keys = [] -%}
{%- for key, values in keys.items() if not values or none in values or '' in values -%}
    {%- do unset_keys.append(key) -%}
{%- endfor -%}
with
biases as (select * from {{ ref('reality_check_biases') }}),

-- the names that the source protocol has, whatever the seed says
protocol_biases as (
    select {{ unnest_list(list_value(
        "'texture'", "'counting'", "'spatial_relations'", "'physical_plausibility'",
        "'temporal_reasoning'", "'spurious_correlation'", "'compositional_binding'",
        "'text_in_image'", "'scale_invariance'",
    )) }} as bias_type
),

-- a name of one list that is not in the other
odd_names as (
    select coalesce(biases.bias_type, protocol_biases.bias_type) as bias_type
    from biases
    full join protocol_biases
        on biases.bias_type = protocol_biases.bias_type
    where biases.bias_type is null or protocol_biases.bias_type is null
),

bias_sums as (
    select
        max(abs(easy_share + medium_share + hard_share - 1)) as largest_deviation,
        cast(sum(case when ground_truth_method is null then 1 else 0 end) as bigint)
            as n_without_method,
        cast(sum(case when target is null then 1 else 0 end) as bigint) as n_without_target,
        cast(sum(target) as bigint) as n_targets
    from biases
)

{{ counted_check('1.1', 'nine_biases', 'odd_names') }}
union all
select
    '1.1' as gate_id, 'shares_sum' as check_name,
    cast(round(largest_deviation, 6) as string) as measured,
    largest_deviation < 0.01 as is_passed
from bias_sums
union all
select
    '1.1' as gate_id, 'method_named' as check_name,
    cast(n_without_method as string) as measured,
    n_without_method = 0 as is_passed
from bias_sums
union all
select
    '1.1' as gate_id, 'target_named' as check_name,
    cast(n_without_target as string) as measured,
    n_without_target = 0 as is_passed
from bias_sums
union all
select
    '1.1' as gate_id, 'single_targets' as check_name,
    cast(n_targets as string) as measured,
    n_targets between {{ rc_threshold('least_single_targets') }}
    and {{ rc_threshold('most_single_targets') }} as is_passed
from bias_sums
union all
select
    '1.2' as gate_id, 'keys' as check_name, '{{ unset_keys | length }}' as measured,
    {{ unset_keys | length }} = 0 as is_passed
union all
{{ configured_check('1.2', 'dataset_size', keys.target_dataset_size, ['130000']) }}
union all
{{ configured_check('1.2', 'compound_count', keys.compound_challenge_count, ['40000']) }}
union all
{{ configured_check('1.2', 'languages', keys.languages, ['ar', 'en', 'es', 'hi', 'zh']) }}
union all
{{ configured_check('1.2', 'seed', keys.random_seed, ['42']) }}
