with

examples as (

    select * from {{ ref('conflict_suite_refined__examples') }}

),

shown_bases as (

    select
        protocol,
        family,
        mix_state,
        count(distinct base_id) as n_bases
    from examples
    group by protocol, family, mix_state

),

family_sizes as (

    select
        *,
        sum(n_bases) over (partition by protocol, family) as n_of_family
    from shown_bases

),

-- a decimal prints alike on every engine
final as (

    select
        protocol,
        'mix' as section,
        family || ', ' || mix_state as item,
        'n_bases' as measure,
        cast(n_bases as {{ dbt.type_string() }}) as value
    from family_sizes
    union all
    select
        protocol,
        'mix' as section,
        family || ', ' || mix_state as item,
        'share' as measure,
        cast(
            cast(round(cast(n_bases as double) / n_of_family, 6) as decimal(7, 6))
            as {{ dbt.type_string() }}
        ) as value
    from family_sizes

)

select * from final
