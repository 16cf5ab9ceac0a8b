{#-
    How often a run of `n` answers is resampled: so often that one standard error of the
    deviation of any share of them (at most half over the root of n) is within the tolerance,
    but within the bounds of the vars.
-#}
{% macro bootstrap_resamples(n) -%}
    least(
        {{ var('evaluation_bootstrap_most_resamples') }},
        greatest(
            {{ var('evaluation_bootstrap_resamples') }},
            cast(ceil(
                0.125 / ({{ n }} * power({{ var('evaluation_bootstrap_tolerance') }}, 2))
            ) as bigint)
        )
    )
{%- endmacro %}


{#- The number that an example's weights in the bootstrap are drawn from, whatever the model. -#}
{% macro resampling_key(id) -%}
    {{ seeded_key('resample', id) }}
{%- endmacro %}


{#-
    How far the mean of `value` over the answers of a group may be off, as one struct. `key` and
    `cluster` are the `resampling_key` of the answers' example and of its source image.
-#}
{% macro error_of_mean(value, key, cluster) -%}
    gs_mean_errors(
        {{ array_agg_unordered(struct_pack(key=key, cluster=cluster, value=value)) }},
        {{ bootstrap_resamples('count(*)') }}
    )
{%- endmacro %}
